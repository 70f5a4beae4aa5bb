import { expect, test } from 'vitest'
import { createSealer } from './seal.ts'

const sealer = createSealer('a key of the installation that is long enough')

test('what is sealed can be read again at its place, and reads differently each time', () => {
  const one = sealer.seal('client:c1', 'hunter2 and more')
  expect(one).not.toContain('hunter2')
  expect(one).not.toBe(sealer.seal('client:c1', 'hunter2 and more'))
  expect(sealer.open('client:c1', one)).toBe('hunter2 and more')
})

test('elsewhere, with another key or changed it is refused', () => {
  const sealed = sealer.seal('client:c1', 'hunter2')
  expect(() => sealer.open('client:c2', sealed)).toThrow(/client:c2 cannot be decrypted/)
  expect(() => createSealer('another key of the installation').open('client:c1', sealed)).toThrow(/secret key/)
  const bytes = Buffer.from(sealed.slice(3), 'base64')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(() => sealer.open('client:c1', `v1.${bytes.toString('base64')}`)).toThrow()
})
