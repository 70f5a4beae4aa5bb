import { parentPort } from 'node:worker_threads'
import { readIndex } from './read-index.ts'

parentPort?.on('message', (text: string) => parentPort?.postMessage(readIndex(text)))
