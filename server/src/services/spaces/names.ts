import { createHash } from 'node:crypto'

const maxSlug = 48
const markLength = 6

/** A text as a DNS label: lower-case letters, digits and single dashes; starts with a letter. Empty when nothing is left. */
function plainSlug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, maxSlug)
    .replace(/-+$/, '')
}

/** The identifier that a space gets by its name; a name without any Latin letter gets one that is told apart by a mark. */
export function slugOf(displayName: string): string {
  return plainSlug(displayName) || markedSlug(displayName)
}

/**
 * The identifier for a name whose plain one is taken by a space of another name, as `alpha-3f9a1c`: names that differ
 * only in what a label cannot hold (other scripts, emoji, leading digits, a long end) still get identifiers of their own.
 */
export function markedSlug(displayName: string): string {
  const mark = createHash('sha256').update(asCompared(displayName)).digest('hex').slice(0, markLength)
  const begin = (plainSlug(displayName) || 'space').slice(0, maxSlug - markLength - 1).replace(/-+$/, '')
  return `${begin}-${mark}`
}

/** Tells whether people would read two names as the same one. */
export const isSameName = (one: string, other: string): boolean => asCompared(one) === asCompared(other)

const asCompared = (name: string) => name.normalize('NFKC').toLowerCase().trim()

/** `{spaceName}-{spaceId}`: at most 56 characters, so it fits a namespace. */
export function namespaceOf(spaceName: string, spaceId: string): string {
  return `${spaceName}-${spaceId}`
}
