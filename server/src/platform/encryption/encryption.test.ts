import { describe, expect, it } from 'vitest'
import { createEncryption } from './encryption.ts'

describe('encryption', () => {
  const encryption = createEncryption('a'.repeat(40))
  it('opens what it sealed', () => {
    expect(
      encryption.decrypt('t1', 'clusters.kubeconfig', encryption.encrypt('t1', 'clusters.kubeconfig', 'token: x')),
    ).toBe('token: x')
  })
  it('opens by a second key what that one sealed, seals by the first alone, and renews', () => {
    const old = encryption.encrypt('t1', 'here', 'text')
    const next = createEncryption('b'.repeat(40), 'a'.repeat(40))
    expect(next.decrypt('t1', 'here', old)).toBe('text')
    const renewed = next.renew('t1', 'here', old) ?? ''
    expect(createEncryption('b'.repeat(40)).decrypt('t1', 'here', renewed)).toBe('text')
    expect(next.renew('t1', 'here', renewed)).toBeUndefined()
    expect(() => next.decrypt('t2', 'here', old)).toThrow()
    expect(() => createEncryption('b'.repeat(40), 'c'.repeat(40)).renew('t1', 'here', old)).toThrow()
  })
  it('does not open for another tenant, another place, another key or after a change', () => {
    const sealed = encryption.encrypt('t1', 'here', 'text')
    expect(() => encryption.decrypt('t2', 'here', sealed)).toThrow()
    expect(() => encryption.decrypt('t1', 'there', sealed)).toThrow()
    expect(() => createEncryption('b'.repeat(40)).decrypt('t1', 'here', sealed)).toThrow()
    const bytes = Buffer.from(sealed.slice(3), 'base64')
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1
    expect(() => encryption.decrypt('t1', 'here', `v1.${bytes.toString('base64')}`)).toThrow()
  })
})
