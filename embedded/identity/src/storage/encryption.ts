import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts what has to be read again and must not be read from a dump: AES-256-GCM, bound to where it is stored. */
export interface Encryption {
  encrypt(place: string, text: string): string
  decrypt(place: string, encrypted: string): string
  /** The same text encrypted by the key of today; undefined when it already is. */
  renew(place: string, encrypted: string): string | undefined
}

const version = 'v1'
const ivBytes = 12
const tagBytes = 16

const keyOf = (secretKey: string) => Buffer.from(hkdfSync('sha256', secretKey, 'quayside', 'embedded identity', 32))

/** A second key is only read with, while the key is rotated. */
export function createEncryption(secretKey: string, otherKey?: string): Encryption {
  const key = keyOf(secretKey)
  const others = otherKey === undefined ? [] : [keyOf(otherKey)]

  function encrypt(place: string, text: string): string {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    cipher.setAAD(Buffer.from(place))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`
  }

  function read(place: string, encrypted: string): { text: string; isCurrent: boolean } {
    let reason: unknown
    for (const one of [key, ...others]) {
      try {
        return { text: open(one, place, encrypted), isCurrent: one === key }
      } catch (error) {
        reason ??= error
      }
    }
    const message = `${place} cannot be decrypted: the secret key is not the one that it was encrypted with`
    throw new Error(message, { cause: reason })
  }

  return {
    encrypt,
    decrypt: (place, encrypted) => read(place, encrypted).text,
    renew(place, encrypted) {
      const { text, isCurrent } = read(place, encrypted)
      return isCurrent ? undefined : encrypt(place, text)
    },
  }
}

function open(key: Buffer, place: string, encrypted: string): string {
  const bytes = Buffer.from(encrypted.slice(version.length + 1), 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
}

/** For what only has to be recognised when it comes back; all of it is long and random, so it needs no salt. */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
