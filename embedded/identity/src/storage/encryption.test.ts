import { expect, test } from 'vitest'
import { createEncryption } from './encryption.ts'

const encryption = createEncryption('a key of the installation that is long enough')

test('what is encrypted can be read again at its place, and reads differently each time', () => {
  const one = encryption.encrypt('client:c1', 'hunter2 and more')
  expect(one).not.toContain('hunter2')
  expect(one).not.toBe(encryption.encrypt('client:c1', 'hunter2 and more'))
  expect(encryption.decrypt('client:c1', one)).toBe('hunter2 and more')
})

test('elsewhere, with another key or changed it is refused', () => {
  const sealed = encryption.encrypt('client:c1', 'hunter2')
  expect(() => encryption.decrypt('client:c2', sealed)).toThrow(/client:c2 cannot be decrypted/)
  expect(() => createEncryption('another key of the installation').decrypt('client:c1', sealed)).toThrow(/secret key/)
  const bytes = Buffer.from(sealed.slice(3), 'base64')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(() => encryption.decrypt('client:c1', `v1.${bytes.toString('base64')}`)).toThrow()
})
