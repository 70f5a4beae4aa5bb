import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts what must not be read from a database dump: AES-256-GCM, a key per tenant, bound to where it is stored. */
export interface Encryption {
  encrypt(tenantId: string, place: string, text: string): string
  decrypt(tenantId: string, place: string, encrypted: string): string
}

export function createEncryption(secretKey: string): Encryption {
  const keyOf = (tenantId: string) => Buffer.from(hkdfSync('sha256', secretKey, 'quayside', `tenant:${tenantId}`, 32))
  return {
    encrypt(tenantId, place, text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', keyOf(tenantId), iv)
      cipher.setAAD(Buffer.from(`${tenantId}|${place}`))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `v1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`
    },
    decrypt(tenantId, place, encrypted) {
      const [version, data] = encrypted.split('.')
      if (version !== 'v1' || !data) throw new Error(`${place} is encrypted in an unknown way`)
      const bytes = Buffer.from(data, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', keyOf(tenantId), bytes.subarray(0, 12))
      decipher.setAAD(Buffer.from(`${tenantId}|${place}`))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}
