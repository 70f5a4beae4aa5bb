import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allCases, callAt, isInHelm, isOfPortal, spread } from './cases.ts'
import { failpointNames } from './failpoints.ts'

test('the matrix has its 97 pairs three ways and its 100 ways inside Helm', () => {
  const ofPortal = allCases.filter(({ fault }) => ['kill', 'sigterm', 'throw'].includes(fault))
  expect(new Set(ofPortal.map(({ kind, point }) => kind + point)).size).toBe(97)
  expect(ofPortal).toHaveLength(291)
  expect(allCases).toHaveLength(391)
  expect(new Set(allCases.map(({ point }) => point))).toEqual(new Set(failpointNames))
})

test('the spread touches every kind and every fault of a quick run', () => {
  const some = spread(64)
  expect(new Set(some.map(({ kind }) => kind)).size).toBe(8)
  expect(new Set(some.map(({ fault }) => fault)).size).toBe(7)
  expect(new Set(some.map(({ point }) => point)).size).toBe(failpointNames.length)
  expect(new Set(some.map((each) => JSON.stringify(each))).size).toBe(64)
})

test('the table of the points names each of them', () => {
  const text = readFileSync(new URL('../../docs/robustness.md', import.meta.url), 'utf8')
  const named = text.split('\n').flatMap((line) => (/^\| F\d/.test(line) ? line.split('|')[1]?.match(/F\d+/g) : []))
  expect(named).toEqual(failpointNames)
})

test('what strikes at a call of Helm strikes nobody else', () => {
  for (const { kind, point } of allCases.filter(({ fault, point }) => !isOfPortal(fault) || isInHelm(point)))
    expect(callAt(kind, point)).toMatchObject({ userAgent: 'Helm/*' })
})
