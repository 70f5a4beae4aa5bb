import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { tokenPrefix } from '@quayside/contract/personal-tokens/limits'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const [randomLength, checksumLength] = [40, 6]
const form = new RegExp(`^${tokenPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/** A new secret: the prefix, 238 random bits, and a checksum by which scanners tell it from a text that looks alike. */
export function newTokenText(): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return tokenPrefix + random + checksumOf(random)
}

/** Tells whether a bearer token was meant as a personal one, whatever it is worth. */
export const isPersonal = (token: string): boolean => token.startsWith(tokenPrefix)

/** Tells whether it can be one at all: one that was mistyped is refused without a look into the database. */
export function isTokenText(token: string): boolean {
  return (
    form.test(token) && checksumOf(token.slice(tokenPrefix.length, -checksumLength)) === token.slice(-checksumLength)
  )
}

/** The only trace of a secret that is kept. It has too many bits to be guessed from its digest. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64')

function checksumOf(random: string): string {
  let left = crc32(random)
  let text = ''
  while (text.length < checksumLength) {
    text = alphabet[left % alphabet.length] + text
    left = Math.floor(left / alphabet.length)
  }
  return text
}
