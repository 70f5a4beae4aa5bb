import { drawn, pseudoDigest } from '../engine/names.ts'
import type { Fault } from './faults.ts'
import { isUnpullable } from './faults.ts'

/** The full reference: `nginx` is `docker.io/library/nginx:latest`. */
export function fullReference(image: string): string {
  const [first = '', ...rest] = image.split('/')
  const named = rest.length > 0 && (first.includes('.') || first.includes(':') || first === 'localhost')
  const path = named ? image : rest.length > 0 ? `docker.io/${image}` : `docker.io/library/${image}`
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last.includes(':') || last.includes('@') ? path : `${path}:latest`
}

function repository(image: string): string {
  const full = fullReference(image).split('@')[0] ?? ''
  const colon = full.lastIndexOf(':')
  return colon > full.lastIndexOf('/') ? full.slice(0, colon) : full
}

/** The imageID that the container runtime reports. */
export function imageId(image: string): string {
  const given = image.split('@')[1]
  return `${repository(image)}@${given ?? `sha256:${pseudoDigest(fullReference(image))}`}`
}

/** How long the image takes to come, the same each time, and its size. */
export function pullMs(image: string): number {
  return drawn(fullReference(image), 300, 1500)
}

export function imageBytes(image: string): number {
  return drawn(`size ${fullReference(image)}`, 8_000_000, 180_000_000)
}

/** Tells whether a container asks for the image anew although the node has it. */
export function pullsAlways(image: string, policy: string | undefined): boolean {
  return policy === undefined ? fullReference(image).endsWith(':latest') : policy === 'Always'
}

/** Error message of the container runtime when no registry has the image. */
export function pullError(image: string): string {
  const full = fullReference(image)
  return `failed to pull and unpack image "${full}": failed to resolve reference "${full}": ${full}: not found`
}

/** Tells whether pulling an image fails in a pod with this fault. */
export function isUnpullableFor(image: string, fault: Fault | undefined): boolean {
  return fault === 'image-pull-failure' || isUnpullable(image)
}
