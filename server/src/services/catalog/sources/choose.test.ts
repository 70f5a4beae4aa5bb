import { expect, test } from 'vitest'
import { choose } from './choose.ts'
import { readLimits } from './limits.ts'
import type { Offer } from './upstream.ts'

const offer = (chart: string, version: string, obstacle: string | null = null): Offer => ({
  ...{ chart, version, obstacle, digest: null },
  fetch: () => Promise.reject(new Error('nobody asks')),
})
const chosen = (offers: Offer[], more: Partial<Parameters<typeof choose>[1]> = {}) =>
  choose({ offers, leftOut: [] }, { charts: [], versions: 2, prereleases: false, ...more })
const names = (offers: Offer[]) => offers.map(({ chart, version }) => `${chart} ${version}`)

test('the newest versions of each chart, by chart', () => {
  const offers = [offer('web', '1.9.0'), offer('web', '1.10.0'), offer('db', '2.0.0'), offer('web', '1.2.0')]
  expect(names(chosen(offers).offers)).toEqual(['db 2.0.0', 'web 1.10.0', 'web 1.9.0'])
})

test('prereleases only where they are wanted', () => {
  const offers = [offer('web', '2.0.0-rc.1'), offer('web', '1.0.0'), offer('next', '1.0.0-beta')]
  expect(names(chosen(offers).offers)).toEqual(['web 1.0.0'])
  expect(chosen(offers).leftOut).toEqual([
    { chart: 'next', version: '', message: 'It has prereleases alone, and this source takes none.' },
  ])
  expect(names(chosen(offers, { prereleases: true }).offers)).toEqual([
    'next 1.0.0-beta',
    'web 2.0.0-rc.1',
    'web 1.0.0',
  ])
})

test('charts by their patterns', () => {
  const offers = [offer('web', '1.0.0'), offer('web-old', '1.0.0'), offer('db', '1.0.0')]
  expect(names(chosen(offers, { charts: ['web*', '!web-old'] }).offers)).toEqual(['web 1.0.0'])
})

test('a version that stands twice counts once, and one that is none is left out', () => {
  const offers = [offer('web', '1.0.0'), offer('web', '1.0.0'), offer('web', 'v1.0.0'), offer('web', '0.9.0')]
  expect(names(chosen(offers).offers)).toEqual(['web 1.0.0', 'web 0.9.0'])
  expect(chosen([offer('odd', 'latest')]).leftOut[0]?.message).toContain('semantic version')
})

test('what cannot be taken is named with its reason, and nothing older is taken for it', () => {
  const offers = [offer('web', '2.0.0', 'No.'), offer('web', '1.0.0'), offer('web', '0.9.0')]
  expect(names(chosen(offers).offers)).toEqual(['web 1.0.0'])
  expect(chosen(offers).leftOut).toEqual([{ chart: 'web', version: '2.0.0', message: 'No.' }])
})

test('one run looks at a bounded number of versions', () => {
  const offers = Array.from({ length: readLimits.offers + 7 }, (_, at) => offer(`chart-${at}`, '1.0.0'))
  const { offers: some, beyond } = chosen(offers)
  expect([some.length, beyond]).toEqual([readLimits.offers, 7])
})
