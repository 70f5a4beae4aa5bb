import { randomInt } from 'node:crypto'

/** Kubernetes' alphabet for generated parts of names: no vowels, so that no words appear. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

/** 32-bit FNV-1a. */
function fnv32(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index)
    hash = Math.imul(hash, 0x01000193)
  }
  return hash >>> 0
}

/** A number from a text, evenly between `low` and `high`: what looks random is the same every time. */
export function drawn(text: string, low: number, high: number): number {
  // FNV's low bits are the well mixed ones; a finaliser spreads them before the modulo.
  let mixed = fnv32(text)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b)
  mixed = (mixed ^ (mixed >>> 16)) >>> 0
  return low + (mixed % (high - low + 1))
}

/** Each character of a decimal hash replaced by one that is safe in names. */
function safeEncode(text: string): string {
  return [...text].map((character) => ALPHABET[character.charCodeAt(0) % ALPHABET.length]).join('')
}

/** JSON with sorted keys: equal values give equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** The hash in the names of replica sets and controller revisions. */
export function templateHash(template: unknown, collisionCount?: number): string {
  return safeEncode(String(fnv32(canonical(template) + (collisionCount ?? ''))))
}

/** `base` and five random characters, as the API server makes of generateName. */
export function generatedName(base: string): string {
  let suffix = ''
  for (let count = 0; count < 5; count++) suffix += ALPHABET[randomInt(ALPHABET.length)]
  return base.slice(0, 58) + suffix
}

/** A hexadecimal digest-like text of 64 characters, always the same for the same input. */
export function pseudoDigest(text: string): string {
  let digest = ''
  for (let part = 0; part < 8; part++) digest += fnv32(`${part}:${text}`).toString(16).padStart(8, '0')
  return digest
}
