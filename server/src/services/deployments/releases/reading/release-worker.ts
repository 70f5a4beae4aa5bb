import { parentPort } from 'node:worker_threads'
import { ManifestUnreadableError } from '../../../../adapters/helm/manifest.ts'
import { releaseJobs } from './release-jobs.ts'
import type { ReleaseAnswer, ReleaseQuestion } from './release-pool.ts'

parentPort?.on('message', (question: ReleaseQuestion) => parentPort?.postMessage(answer(question)))

function answer({ name, input }: ReleaseQuestion): ReleaseAnswer {
  try {
    return { done: (releaseJobs[name] as (given: unknown) => unknown)(input) }
  } catch (error) {
    if (error instanceof ManifestUnreadableError) return { refused: error.message }
    throw error
  }
}
