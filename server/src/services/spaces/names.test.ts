import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namespaceOf, slugOf } from './names.ts'

describe('names', () => {
  it('makes readable labels', () => {
    expect(slugOf('Shop production')).toBe('shop-production')
    expect(slugOf('Öl & Gas (Süd)')).toBe('ol-gas-sud')
    expect(slugOf('42 answers')).toBe('answers')
    expect(slugOf('日本')).toBe('space')
  })
  it('always makes a namespace that Kubernetes takes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80, unit: 'grapheme' }), (text) => {
        expect(namespaceOf(slugOf(text), 'abc1234')).toMatch(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/)
      }),
    )
  })
})
