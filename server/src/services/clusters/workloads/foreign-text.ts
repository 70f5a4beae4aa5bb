// biome-ignore lint/suspicious/noControlCharactersInRegex: a cluster's text must not steer a terminal, a log or a reader
const escapes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above; tab and line feed stay
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text that a cluster said, fit to be stored and shown: no control characters, no longer than it may be. */
export function cleanText(text: unknown, max = 1000): string {
  if (typeof text !== 'string') return ''
  const clean = text
    .slice(0, 2 * max + 100)
    .replace(escapes, '')
    .replace(controls, '')
  return clean.length > max ? `${clean.slice(0, max - 1)}…` : clean
}

/** Same as `cleanText`, with null for an empty result. */
export function cleanOrNull(text: unknown, max?: number): string | null {
  return cleanText(text, max) || null
}
