import { withoutControls } from '../../../platform/logging/control-characters.ts'

/** Text that a cluster said, fit to be stored and shown: no control characters, no longer than it may be. */
export function cleanText(text: unknown, max = 1000): string {
  if (typeof text !== 'string') return ''
  const clean = withoutControls(text.slice(0, 2 * max + 100))
  return clean.length > max ? `${clean.slice(0, max - 1)}…` : clean
}

/** Same as `cleanText`, with null for an empty result. */
export function cleanOrNull(text: unknown, max?: number): string | null {
  return cleanText(text, max) || null
}
