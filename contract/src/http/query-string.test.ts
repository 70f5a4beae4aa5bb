import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeQuery, encodeQuery } from './query-string.ts'

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

describe('the query dialect', () => {
  it('writes nested values with dots, semicolons and repeated keys, and leaves out what is empty', () => {
    const query = {
      search: null,
      filters: {},
      fields: {},
      sort: { createdAt: 'ASC' },
      page: { skip: 0, limit: 1000 },
      tags: ['a', 'b'],
    }
    expect(encodeQuery(query)).toBe('sort.createdAt=ASC;page.skip=0;page.limit=1000;tags=a;tags=b')
  })

  it('reads the two literal forms', () => {
    expect(plain(decodeQuery('?page=skip=0;limit=100'))).toEqual({ page: { skip: '0', limit: '100' } })
    expect(plain(decodeQuery('filters=visible=true&enabled=true'))).toEqual({
      filters: { visible: 'true', enabled: 'true' },
    })
    expect(plain(decodeQuery('filters=visible=true&enabled=true;page=skip=5;limit=10;search=x'))).toEqual({
      filters: { visible: 'true', enabled: 'true' },
      page: { skip: '5', limit: '10' },
      search: 'x',
    })
  })

  it('reads a bare filter and ordinary queries', () => {
    expect(plain(decodeQuery('filters=flow'))).toEqual({ filters: 'flow' })
    expect(plain(decodeQuery('search=a%20b&page.limit=5'))).toEqual({ search: 'a b', page: { limit: '5' } })
  })

  it('refuses what is too long, too many or too deep, and never touches a prototype', () => {
    expect(() => decodeQuery('a'.repeat(5000))).toThrow(/longer/)
    expect(() => decodeQuery(Array.from({ length: 41 }, (_, i) => `k${i}=1`).join(';'))).toThrow(/more than 40/)
    expect(() => decodeQuery('a.b.c.d.e=1')).toThrow(/deeply/)
    decodeQuery('__proto__.polluted=1;constructor.prototype.polluted=1')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it.each([
    ['a;b', 'a%3Bb'],
    ['a&b', 'a%26b'],
    ['a#b', 'a%23b'],
    ['50%', '50%25'],
    ['a+b', 'a%2Bb'],
    ['a b', 'a%20b'],
    ['x=1;y=2&z', 'x=1%3By=2%26z'],
  ])('writes %s as %s and reads it again', (text, written) => {
    expect(encodeQuery({ search: text, page: { skip: 1 } })).toBe(`search=${written};page.skip=1`)
    expect(plain(decodeQuery(`search=${written};page.skip=1`))).toEqual({ search: text, page: { skip: '1' } })
  })

  it('returns every text as it was written', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }), (search) => {
        expect(decodeQuery(encodeQuery({ search })).search).toBe(search)
      }),
      { numRuns: 500 },
    )
  })
})
