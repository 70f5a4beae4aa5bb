import { ManifestUnreadableError } from '../../../../adapters/helm/manifest.ts'
import { createWorkerPool, WorkerEnded } from '../../../../platform/concurrency/worker-pool.ts'
import { releaseJobs } from './release-jobs.ts'

type Jobs = typeof releaseJobs
export interface ReleaseQuestion {
  name: keyof Jobs
  input: unknown
}
export type ReleaseAnswer = { done: unknown } | { refused: string }

const ask = createWorkerPool<ReleaseQuestion, ReleaseAnswer>(new URL('./release-worker.ts', import.meta.url), {
  limitMs: 10_000,
  memoryMb: 512,
  most: 2,
})

/** Sending a text to a thread costs more than to read a small one here. */
const largeFrom = 64 * 1024

/**
 * Reads texts of a release: large ones beside the event loop, bounded in time and memory.
 * @param length of the texts in the input, in characters
 * @throws ManifestUnreadableError for texts that cannot be read, or not in time
 */
export async function readRelease<Name extends keyof Jobs>(
  name: Name,
  input: Parameters<Jobs[Name]>[0],
  length: number,
): Promise<ReturnType<Jobs[Name]>> {
  if (length < largeFrom) return (releaseJobs[name] as (given: unknown) => ReturnType<Jobs[Name]>)(input)
  const answer = await ask({ name, input }).catch((error: unknown): ReleaseAnswer => {
    if (!(error instanceof WorkerEnded)) throw error
    return { refused: `The manifest cannot be read: ${error.message}.` }
  })
  if ('refused' in answer) throw new ManifestUnreadableError(answer.refused)
  return answer.done as ReturnType<Jobs[Name]>
}
