import { expect, test } from 'vitest'
import { digestOf, isPersonal, isTokenText, newTokenText } from './token-text.ts'

test('a new secret has the prefix, a checksum and no twin', () => {
  const made = Array.from({ length: 200 }, newTokenText)
  expect(new Set(made).size).toBe(200)
  for (const each of made) {
    expect(each).toMatch(/^qsp_[0-9A-Za-z]{46}$/)
    expect(isTokenText(each)).toBe(true)
  }
})

test('one that was mistyped, cut or lengthened is none', () => {
  const token = newTokenText()
  const other = token[10] === 'a' ? 'b' : 'a'
  const wrong = [token.slice(0, 10) + other + token.slice(11), token.slice(0, -1), `${token}a`, `${token}\n`]
  for (const each of [...wrong, token.toLowerCase().replace('qsp_', 'QSP_'), 'qsp_', ''])
    expect(isTokenText(each), each).toBe(false)
  expect(isPersonal('qsp_odd')).toBe(true)
  expect(isPersonal('eyJhbGciOi')).toBe(false)
})

test('the digest is the same for the same secret alone', () => {
  const token = newTokenText()
  expect(digestOf(token)).toBe(digestOf(token))
  expect(digestOf(token)).not.toBe(digestOf(newTokenText()))
})
