import { expect, it } from 'vitest'
import { type Candidate, choose } from './choose.ts'

const some = (count: number, more: Partial<Candidate> & { tenantId: string }): Candidate[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${more.tenantId}${at}`, isFailing: false, isBusy: false, ...more }))

it('receivers that fail hold up neither another one of their tenant nor another tenant', () => {
  const dead = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].flatMap((tenantId) =>
    some(19, { tenantId, isFailing: true }),
  )
  const [good, stranger] = [...some(1, { tenantId: 'a', id: 'good' }), ...some(1, { tenantId: 'z', id: 'stranger' })]
  const chosen = choose([...dead, good as Candidate, stranger as Candidate])
  expect(chosen.slice(-2)).toEqual(['good', 'stranger'])
  expect(chosen.filter((id) => id.startsWith('a'))).toHaveLength(2)
  expect(chosen).toHaveLength(16 + 2)
})

it('a tenant has a few places, less those that are taken, and whoever is being sent to is left alone', () => {
  const busy = some(6, { tenantId: 'a', isBusy: true })
  expect(choose([...busy, ...some(5, { tenantId: 'a', id: 'next' })])).toEqual(['next', 'next'])
  expect(choose(busy)).toEqual([])
})
