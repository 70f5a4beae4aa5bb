import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameName, markedSlug, namespaceOf, slugOf } from './names.ts'

describe('names', () => {
  it('makes readable labels', () => {
    expect(slugOf('Shop production')).toBe('shop-production')
    expect(slugOf('Öl & Gas (Süd)')).toBe('ol-gas-sud')
    expect(slugOf('42 answers')).toBe('answers')
  })

  it('tells names apart that have no Latin letter', () => {
    const names = ['日本', '中国', 'الميناء', 'المصنع', 'Склад', 'Завод', '🚀', '🎉', '42']
    const slugs = names.map(slugOf)
    expect(new Set(slugs).size).toBe(names.length)
    for (const slug of slugs) expect(slug).toMatch(/^space-[0-9a-f]{6}$/)
    expect(slugOf('日本')).toBe(slugOf('日本 '))
  })

  it('marks a label that another name has taken', () => {
    expect(markedSlug('Alpha команда')).toMatch(/^alpha-[0-9a-f]{6}$/)
    expect(markedSlug('Alpha команда')).not.toBe(markedSlug('Alpha группа'))
    expect(markedSlug('a'.repeat(80))).toHaveLength(48)
  })

  it('takes names for the same in any case and form', () => {
    expect(isSameName('Café', 'CAFE\u0301 ')).toBe(true)
    expect(isSameName('41 answers', '42 answers')).toBe(false)
  })

  it('always makes a namespace that Kubernetes takes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80, unit: 'grapheme' }), (text) => {
        for (const slug of [slugOf(text), markedSlug(text)])
          expect(namespaceOf(slug, 'abc1234')).toMatch(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/)
      }),
    )
  })
})
