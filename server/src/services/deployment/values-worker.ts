import { parentPort } from 'node:worker_threads'
import { YamlRefused } from '@quayside/values/yaml/yaml-document'
import type { JobAnswer, JobQuestion } from './values-aside.ts'
import { valuesJobs } from './values-jobs.ts'

parentPort?.on('message', (question: JobQuestion) => parentPort?.postMessage(answer(question)))

function answer({ name, input }: JobQuestion): JobAnswer {
  try {
    return { done: (valuesJobs[name] as (given: unknown) => unknown)(input) }
  } catch (error) {
    if (error instanceof YamlRefused) return { refused: error.problem }
    throw error
  }
}
