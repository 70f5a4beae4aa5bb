import { parentPort } from 'node:worker_threads'
import { YamlRefused } from '@quayside/values/yaml/yaml-document'
import { valuesJobs } from './values-jobs.ts'
import type { JobAnswer, JobQuestion } from './values-pool.ts'

parentPort?.on('message', (question: JobQuestion) => parentPort?.postMessage(answer(question)))

function answer({ name, input }: JobQuestion): JobAnswer {
  try {
    return { done: (valuesJobs[name] as (given: unknown) => unknown)(input) }
  } catch (error) {
    if (error instanceof YamlRefused) return { refused: error.problem }
    throw error
  }
}
