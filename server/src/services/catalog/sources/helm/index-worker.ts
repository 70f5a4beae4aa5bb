import { parentPort } from 'node:worker_threads'
import { type IndexQuestion, offersOf } from './choose-from-index.ts'

parentPort?.on('message', (question: IndexQuestion) => parentPort?.postMessage(offersOf(question)))
