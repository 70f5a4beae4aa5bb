import { parentPort } from 'node:worker_threads'
import { type ManifestObject, ManifestUnreadableError, readManifest } from './manifest.ts'
import { maxPacked, type PackedManifest, type PackedObject } from './parse-manifest.ts'

parentPort?.on('message', (manifest: string) => parentPort?.postMessage(answer(manifest)))

function answer(manifest: string): PackedManifest {
  try {
    return { objects: packed(readManifest(manifest)) }
  } catch (error) {
    if (error instanceof ManifestUnreadableError) return { refused: error.message }
    throw error
  }
}

/** Bodies as text: that is the cheapest way out of a thread, and only what is looked at has to be read again. */
function packed(objects: readonly ManifestObject[]): PackedObject[] {
  let size = 0
  return objects.map(({ body, ...rest }) => {
    const json = JSON.stringify(body)
    size += json.length
    // Anchors that are used again and again make much of little.
    if (size > maxPacked) throw new ManifestUnreadableError('The objects of the manifest are larger than 64 MiB.')
    return { ...rest, json }
  })
}
