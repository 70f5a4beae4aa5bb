import { createWorkerPool, WorkerEnded } from '../../platform/concurrency/worker-pool.ts'
import { type ManifestObject, ManifestUnreadableError, readManifest } from './manifest.ts'

export type PackedObject = Omit<ManifestObject, 'body'> & { json: string }
export type PackedManifest = { objects: PackedObject[] } | { refused: string }

export const maxPacked = 64 * 1024 * 1024

/** Sending a manifest to a thread costs more than to read a small one here. */
const largeFrom = 64 * 1024

const ask = createWorkerPool<string, PackedManifest>(new URL('./manifest-worker.ts', import.meta.url), {
  limitMs: 15_000,
  memoryMb: 768,
  most: 1,
})

/** The objects of a rendered manifest: a large one is read beside the event loop, bounded in time and memory. */
export async function readManifestInWorker(manifest: string): Promise<ManifestObject[]> {
  if (manifest.length < largeFrom) return readManifest(manifest)
  const answer = await ask(manifest).catch((error: unknown): PackedManifest => {
    if (!(error instanceof WorkerEnded)) throw error
    return { refused: `The manifest cannot be read: ${error.message}.` }
  })
  if ('refused' in answer) throw new ManifestUnreadableError(answer.refused)
  return answer.objects.map(unpacked)
}

function unpacked({ json, ...rest }: PackedObject): ManifestObject {
  let body: Record<string, unknown> | undefined
  return {
    ...rest,
    get body() {
      body ??= JSON.parse(json) as Record<string, unknown>
      return body
    },
  }
}
