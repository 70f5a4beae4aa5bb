import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type Lockfile, licenceProblems } from './licences.ts'

const one = (license?: string, version = '1.0.0'): Lockfile => ({
  packages: { '': {}, 'node_modules/a/node_modules/@b/c': { version, license } },
})

test.each(['MIT', '(MPL-2.0 OR Apache-2.0)', '(MIT AND ISC)', 'GPL-3.0 OR MIT'])('%s is allowed', (licence) => {
  expect(licenceProblems(one(licence))).toEqual([])
})

test.each(['GPL-3.0', 'AGPL-3.0-only', '(MIT AND GPL-2.0)', 'SEE LICENSE IN terms.txt', 'UNLICENSED'])(
  '%s is not',
  (licence) => {
    expect(licenceProblems(one(licence))).toEqual([expect.stringContaining(`@b/c@1.0.0 comes under ${licence}`)])
  },
)

test('a package without a licence is named', () => {
  expect(licenceProblems(one())).toEqual([expect.stringContaining('@b/c@1.0.0 names no licence')])
})

test('everything in the lockfile comes under a licence that is allowed', () => {
  const lock = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package-lock.json'), 'utf8')) as Lockfile
  expect(Object.keys(lock.packages).length).toBeGreaterThan(300)
  expect(licenceProblems(lock)).toEqual([])
})
