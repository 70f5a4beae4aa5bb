import { describe, expect, it } from 'vitest'
import { createSeal } from './seal.ts'

describe('the seal', () => {
  const seal = createSeal('a'.repeat(40))
  it('opens what it sealed', () => {
    expect(seal.open('t1', 'clusters.kubeconfig', seal.seal('t1', 'clusters.kubeconfig', 'token: x'))).toBe('token: x')
  })
  it('does not open for another tenant, another place, another key or after a change', () => {
    const sealed = seal.seal('t1', 'here', 'text')
    expect(() => seal.open('t2', 'here', sealed)).toThrow()
    expect(() => seal.open('t1', 'there', sealed)).toThrow()
    expect(() => createSeal('b'.repeat(40)).open('t1', 'here', sealed)).toThrow()
    const bytes = Buffer.from(sealed.slice(3), 'base64')
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1
    expect(() => seal.open('t1', 'here', `v1.${bytes.toString('base64')}`)).toThrow()
  })
})
