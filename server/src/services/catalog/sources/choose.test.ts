import semver from 'semver'
import { expect, test, vi } from 'vitest'
import { choose } from './choose.ts'
import type { Listed } from './upstream.ts'

const one = (chart: string, version: string, obstacle: string | null = null): Listed => ({ chart, version, obstacle })
const chosen = (listed: Listed[], more: Partial<Parameters<typeof choose>[1]> = {}) =>
  choose(listed, { versions: 2, prereleases: false, ...more })
const names = (listed: Listed[]) => listed.map(({ chart, version }) => `${chart} ${version}`)

test('the newest versions of each chart, by chart', () => {
  const listed = [one('web', '1.9.0'), one('web', '1.10.0'), one('db', '2.0.0'), one('web', '1.2.0')]
  expect(names(chosen(listed).chosen)).toEqual(['db 2.0.0', 'web 1.10.0', 'web 1.9.0'])
})

test('prereleases only where they are wanted', () => {
  const listed = [one('web', '2.0.0-rc.1'), one('web', '1.0.0'), one('next', '1.0.0-beta')]
  expect(names(chosen(listed).chosen)).toEqual(['web 1.0.0'])
  expect(chosen(listed).leftOut).toEqual([
    { chart: 'next', version: '', message: 'It has prereleases alone, and this source takes none.' },
  ])
  expect(names(chosen(listed, { prereleases: true }).chosen)).toEqual([
    'next 1.0.0-beta',
    'web 2.0.0-rc.1',
    'web 1.0.0',
  ])
})

test('a version that stands twice counts once, and one that is none is left out', () => {
  const listed = [one('web', '1.0.0'), one('web', '1.0.0'), one('web', 'v1.0.0'), one('web', '0.9.0')]
  expect(names(chosen(listed).chosen)).toEqual(['web 1.0.0', 'web 0.9.0'])
  expect(chosen([one('odd', 'latest')]).leftOut[0]?.message).toContain('semantic version')
})

test('what cannot be taken is named with its reason, and nothing older is taken for it', () => {
  const listed = [one('web', '2.0.0', 'No.'), one('web', '1.0.0'), one('web', '0.9.0')]
  expect(names(chosen(listed).chosen)).toEqual(['web 1.0.0'])
  expect(chosen(listed).leftOut).toEqual([{ chart: 'web', version: '2.0.0', message: 'No.' }])
})

test('each version is read once, however often it is compared', () => {
  const parse = vi.spyOn(semver, 'parse')
  const listed = Array.from({ length: 1000 }, (_, at) => one('web', `1.0.0-rc.${(at * 7919) % 1000}`))
  expect(names(chosen(listed, { versions: 1, prereleases: true }).chosen)).toEqual(['web 1.0.0-rc.999'])
  expect(parse).toHaveBeenCalledTimes(listed.length)
})
