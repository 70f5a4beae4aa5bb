import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts what must not be read from a database dump: AES-256-GCM, a key per tenant, bound to where it is stored. */
export interface Encryption {
  encrypt(tenantId: string, place: string, text: string): string
  decrypt(tenantId: string, place: string, sealed: string): string
  /** The same text encrypted by the key of today; undefined when it already is. */
  renew(tenantId: string, place: string, sealed: string): string | undefined
}

/** A second key is only read with: the one before, or the one to come, while the key is rotated. */
export function createEncryption(secretKey: string, otherKey?: string): Encryption {
  const keyOf = (secret: string, tenantId: string) =>
    Buffer.from(hkdfSync('sha256', secret, 'quayside', `tenant:${tenantId}`, 32))

  function open(secret: string, tenantId: string, place: string, sealed: string): string {
    const [version, data] = sealed.split('.')
    if (version !== 'v1' || !data) throw new Error(`${place} is sealed in an unknown way`)
    const bytes = Buffer.from(data, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, tenantId), bytes.subarray(0, 12))
    decipher.setAAD(Buffer.from(`${tenantId}|${place}`))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  }

  function encrypt(tenantId: string, place: string, text: string): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey, tenantId), iv)
    cipher.setAAD(Buffer.from(`${tenantId}|${place}`))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return `v1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`
  }

  /** The text, and whether the key of today opens it. The first error is the one that counts. */
  function read(tenantId: string, place: string, sealed: string): { text: string; isCurrent: boolean } {
    try {
      return { text: open(secretKey, tenantId, place, sealed), isCurrent: true }
    } catch (error) {
      if (otherKey === undefined) throw error
      return { text: open(otherKey, tenantId, place, sealed), isCurrent: false }
    }
  }

  return {
    encrypt,
    decrypt: (tenantId, place, sealed) => read(tenantId, place, sealed).text,
    renew(tenantId, place, sealed) {
      const { text, isCurrent } = read(tenantId, place, sealed)
      return isCurrent ? undefined : encrypt(tenantId, place, text)
    },
  }
}
