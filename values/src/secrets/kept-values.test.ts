import { expect, test } from 'vitest'
import { isUnchanged, withMarksOf } from './kept-values.ts'
import { secretMark as mark } from './secret-mark.ts'

test('a mark is no change, whatever it stands for and wherever it stands', () => {
  expect(isUnchanged(mark, 'changeme')).toBe(true)
  expect(isUnchanged(mark, undefined)).toBe(true)
  const users = (password: string, name = 'ada') => [{ name, login: { password } }]
  expect(isUnchanged(users(mark), users('x'))).toBe(true)
  expect(isUnchanged(users(mark, 'bob'), users('x'))).toBe(false)
  expect(isUnchanged(users('y'), users('x'))).toBe(false)
  expect(isUnchanged({ a: mark, b: 1 }, { a: 'x' })).toBe(false)
  expect(isUnchanged(`${mark}x`, 'x')).toBe(false)
})

test('another text takes over the marks as they are written, and nothing else', () => {
  const now = `a: "${mark}" # of the safe\nb: '${mark}'\nc: "${mark}"\nd: "${mark}"\nlist:\n- p: "${mark}"\n- 2\n`
  const before = 'a: changeme # the chart\'s\nb: ""\nc:\nlist:\n- p: |\n    long\n    text\n- 1\n'
  expect(withMarksOf(now, before)).toEqual({
    text: `a: "${mark}" # the chart's\nb: '${mark}'\nc: "${mark}"\nlist:\n- p: "${mark}"\n- 1\n`,
    paths: [['a'], ['b'], ['c'], ['d'], ['list', 0, 'p']],
  })
  expect(withMarksOf('a: 1\n', 'a: [')).toEqual({ text: 'a: [', paths: [] })
})
