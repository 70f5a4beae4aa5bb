import { randomBytes } from 'node:crypto'

/** Without vowels and look-alikes, as Kubernetes has it, so that no words come out. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'
const MAX_NAME = 63
const SUFFIX = 5

/** A name that starts with `prefix` and ends in five random letters. */
export function generatedName(prefix: string): string {
  const letters = Array.from(randomBytes(SUFFIX), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return prefix.slice(0, MAX_NAME - SUFFIX) + letters
}

const TRIES = 8

/** A generated name that nothing bears; the last one tried when all are borne. */
export function freeName(prefix: string, isFree: (name: string) => boolean): string {
  let name = generatedName(prefix)
  for (let tries = 1; tries < TRIES && !isFree(name); tries += 1) name = generatedName(prefix)
  return name
}

/** Kubernetes' form of a moment: whole seconds, UTC. */
export const kubeTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')
