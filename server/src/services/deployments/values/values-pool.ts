import { YamlRefused } from '@quayside/values/yaml/yaml-document'
import type { YamlProblem } from '@quayside/values/yaml/yaml-guard'
import { createWorkerPool, WorkerEnded } from '../../../platform/concurrency/worker-pool.ts'
import { valuesJobs } from './values-jobs.ts'

type Jobs = typeof valuesJobs
type JobName = keyof Jobs
export interface JobQuestion {
  name: JobName
  input: unknown
}
export type JobAnswer = { done: unknown } | { refused: YamlProblem }

const ask = createWorkerPool<JobQuestion, JobAnswer>(new URL('./values-worker.ts', import.meta.url), {
  limitMs: 10_000,
  memoryMb: 512,
  most: 2,
})

/** Sending a question to a thread costs more than to answer a small one here. */
const largeFrom = 16 * 1024

/** Does what reads values as a whole: large ones beside the event loop, bounded in time and memory. */
export async function inWorker<Name extends JobName>(
  name: Name,
  input: Parameters<Jobs[Name]>[0],
): Promise<ReturnType<Jobs[Name]>> {
  if (!isHard(input)) return (valuesJobs[name] as (given: unknown) => ReturnType<Jobs[Name]>)(input)
  const answer = await ask({ name, input }).catch((error: unknown): JobAnswer => {
    if (!(error instanceof WorkerEnded)) throw error
    return { refused: { kind: 'too-large', message: `These values cannot be read: ${error.message}.` } }
  })
  if ('refused' in answer) throw new YamlRefused(answer.refused)
  return answer.done as ReturnType<Jobs[Name]>
}

/**
 * Tells whether something may take long: its texts are long, or a schema in it has references, through which a few
 * lines can be endless.
 */
export function isHard(input: unknown): boolean {
  let left = largeFrom
  const look = (one: unknown): boolean => {
    if (typeof one === 'string') left -= one.length
    else if (typeof one === 'object' && one !== null) {
      left -= 8
      return left < 0 || '$ref' in one || '$dynamicRef' in one || Object.values(one).some(look)
    }
    return left < 0
  }
  return look(input)
}
