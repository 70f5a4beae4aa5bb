import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts what has to be read again and must not be read from a dump: AES-256-GCM, bound to where it is stored. */
export interface Encryption {
  encrypt(place: string, text: string): string
  decrypt(place: string, encrypted: string): string
}

const version = 'v1'
const ivBytes = 12
const tagBytes = 16

export function createEncryption(secretKey: string): Encryption {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'quayside', 'embedded identity', 32))
  return {
    encrypt(place, text) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      cipher.setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`
    },
    decrypt(place, encrypted) {
      const bytes = Buffer.from(encrypted.slice(version.length + 1), 'base64')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
      decipher.setAAD(Buffer.from(place))
      try {
        decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
        return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
      } catch (cause) {
        const message = `${place} cannot be decrypted: the secret key is not the one that it was encrypted with`
        throw new Error(message, { cause })
      }
    },
  }
}

/** For what only has to be recognised when it comes back; all of it is long and random, so it needs no salt. */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
