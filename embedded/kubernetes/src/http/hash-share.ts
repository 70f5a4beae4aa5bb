/** A number from 0 to 1 that is always the same for the same text. */
export function hashShare(text: string): number {
  let hash = 2166136261
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619)
  return (hash >>> 0) / 2 ** 32
}
