import { describe, expect, test } from 'vitest'
import { attributeFilters, likePattern, userCondition } from './user-search.ts'

describe('search words', () => {
  test.each([
    ['ann', 'ann%'],
    ['ann*', 'ann%'],
    ['*ann*', '%ann%'],
    ['"ann"', 'ann'],
    ['50%', '50\\%%'],
    ['a_b', 'a\\_b%'],
  ])('%s becomes %s', (word, pattern) => {
    expect(likePattern(word)).toBe(pattern)
  })

  test('attribute filters may be quoted', () => {
    expect(attributeFilters('team:blue "job title":"crane driver"')).toEqual([
      ['team', 'blue'],
      ['job title', 'crane driver'],
    ])
    expect(attributeFilters('nonsense')).toEqual([])
  })

  test('what was typed is only ever a value', () => {
    const { sql, values } = userCondition({
      search: "x'; drop table realm --",
      exact: false,
      attributes: [["a'b", 'c']],
    })
    expect(sql).not.toContain('drop')
    expect(sql).not.toContain("a'b")
    expect(values).toContain("a'b")
  })
})
