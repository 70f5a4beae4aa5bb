import { describe, expect, it, vi } from 'vitest'
import { createShares, isLeft } from './shares.ts'

const none = { all: 0, ofTenant: 0, ofSpace: 0 }

describe('places', () => {
  /** Spaces come one after the other, each with more than there is; how many each gets. */
  const shared = (places: number, comers: readonly [tenant: string, space: string][], areTenantsSeveral: boolean) => {
    const held: [string, string][] = []
    return comers.map(([tenant, space]) => {
      const taken = () => {
        const ofTenant = held.filter(([one]) => one === tenant)
        const ofSpace = ofTenant.filter(([, one]) => one === space)
        return { all: held.length, ofTenant: ofTenant.length, ofSpace: ofSpace.length }
      }
      let got = 0
      for (; got <= places && isLeft(places, taken(), areTenantsSeveral); got += 1) held.push([tenant, space])
      return got
    })
  }

  it.each([
    [
      'half for the first, then half of the rest',
      8,
      false,
      [
        ['a', '1'],
        ['a', '2'],
        ['a', '3'],
        ['a', '4'],
      ],
      [4, 2, 1, 1],
    ],
    [
      'those of a tenant, once there are others',
      8,
      true,
      [
        ['a', '1'],
        ['a', '2'],
        ['a', '3'],
        ['b', '4'],
      ],
      [2, 1, 1, 1],
    ],
    [
      'many that wait',
      24,
      true,
      [
        ['a', '1'],
        ['a', '2'],
        ['b', '3'],
      ],
      [6, 3, 4],
    ],
    [
      'a single one',
      1,
      true,
      [
        ['a', '1'],
        ['b', '2'],
      ],
      [1, 0],
    ],
    ['none at all', 0, false, [['a', '1']], [0]],
  ] as [string, number, boolean, [string, string][], number[]][])(
    'are shared: %s',
    (_, places, several, comers, got) => {
      expect(shared(places, comers, several)).toEqual(got)
    },
  )

  it('are never more than there are', () => {
    expect(isLeft(8, { all: 8, ofTenant: 0, ofSpace: 0 }, false)).toBe(false)
    expect(isLeft(8, { all: 8, ofTenant: 0, ofSpace: 0 }, true)).toBe(false)
    expect(isLeft(1, none, false)).toBe(true)
  })
})

it('an action that only waits leaves its place to others, as long as its space may have another one wait', async () => {
  const onLeft = vi.fn()
  const shares = createShares({ working: 4, waiting: 2 }, onLeft)
  const busy = { tenant_id: 't', space_id: 'busy' }
  const [first, second] = [shares.take(busy), shares.take(busy)]
  expect(shares.isLeftFor(busy)).toBe(false)
  expect(shares.isLeftFor({ ...busy, space_id: 'other' })).toBe(true)
  first.onlyWaits()
  await first.left
  expect(onLeft).toHaveBeenCalledTimes(1)
  expect(shares.isLeftFor(busy)).toBe(true)
  second.onlyWaits()
  expect(onLeft).toHaveBeenCalledTimes(1)
  first.end()
  first.end()
  expect(onLeft).toHaveBeenCalledTimes(2)
  second.onlyWaits()
  await second.left
  shares.tenantsAreSeveral()
  expect(shares.isLeftFor(busy)).toBe(true)
  shares.take(busy)
  expect(shares.isLeftFor(busy)).toBe(false)
})
