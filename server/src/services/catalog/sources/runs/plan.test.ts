import { expect, test } from 'vitest'
import { readLimits } from '../limits.ts'
import { keyOf, type Offer } from '../upstream.ts'
import { planOf } from './plan.ts'

const offer = (chart: string, version: string, digest: string | null = null): Offer => ({
  ...{ chart, version, digest },
  fetch: () => Promise.reject(new Error('nobody asks')),
})
const nothing = { known: new Map(), elsewhere: new Map(), taken: new Set<string>(), isByHand: false }
const taken = { digest: 'sha256:a', version_id: 'v', refusal: null }
const refused = { digest: 'sha256:a', version_id: null, refusal: 'No.' }
const many = (count: number) => Array.from({ length: count }, (_, at) => offer(`chart-${at}`, '1.0.0'))

test('one run takes a bounded number of versions, and the next one those that follow', () => {
  const offers = many(readLimits.offers + 7)
  const first = planOf(offers, nothing)
  expect([first.fetch.length, first.beyond]).toEqual([readLimits.offers, 7])
  const second = planOf(offers, { ...nothing, known: new Map(first.fetch.map((one) => [keyOf(one), taken])) })
  expect(second).toMatchObject({ known: readLimits.offers, beyond: 0, fetch: offers.slice(readLimits.offers) })
})

test('what was refused is not fetched by the schedule until its digest is another one, and is by hand', () => {
  const offers = [offer('web', '1.0.0', 'sha256:a')]
  const past = { ...nothing, known: new Map([['web 1.0.0', refused]]) }
  expect(planOf(offers, past).lines).toEqual([expect.objectContaining({ outcome: 'refused', message: 'No.' })])
  expect(planOf(offers, { ...past, isByHand: true }).fetch).toEqual(offers)
  const other = [offer('web', '1.0.0', 'sha256:b')]
  expect(planOf(other, past).fetch).toEqual(other)
})

test('what was deleted from the catalog comes again, and another package under a version that was taken does not', () => {
  const offers = [offer('web', '1.0.0', 'sha256:a')]
  const deleted = new Map([['web 1.0.0', { ...taken, version_id: null }]])
  expect(planOf(offers, { ...nothing, known: deleted }).fetch).toEqual(offers)
  const known = new Map([['web 1.0.0', taken]])
  expect(planOf([offer('web', '1.0.0', 'sha256:b')], { ...nothing, known }).lines).toEqual([
    expect.objectContaining({ outcome: 'skipped', message: expect.stringContaining('keeps the one') }),
  ])
})

test('a run that was interrupted does not count what it has taken itself as known', () => {
  const known = new Map([['web 1.0.0', taken]])
  const plan = planOf([offer('web', '1.0.0')], { ...nothing, known, taken: new Set(['web 1.0.0']) })
  expect(plan).toEqual({ known: 0, lines: [], fetch: [], beyond: 0 })
})

test('charts that the catalog has from elsewhere are left out with the reason', () => {
  const elsewhere = new Map([['web', 'It was uploaded.']])
  expect(planOf([offer('web', '1.0.0'), offer('db', '1.0.0')], { ...nothing, elsewhere })).toMatchObject({
    lines: [{ chart: 'web', outcome: 'skipped', message: 'It was uploaded.' }],
    fetch: [{ chart: 'db' }],
  })
})
