import { describe, expect, it, vi } from 'vitest'
import { createShares, hasFreePlace } from './shares.ts'

const none = { all: 0, ofTenant: 0, ofSpace: 0 }

describe('places', () => {
  /** Spaces come one after the other, each with more than there is; how many each gets. */
  const shared = (places: number, requests: readonly [tenant: string, space: string][], areTenantsSeveral: boolean) => {
    const held: [string, string][] = []
    return requests.map(([tenant, space]) => {
      const taken = () => {
        const ofTenant = held.filter(([one]) => one === tenant)
        const ofSpace = ofTenant.filter(([, one]) => one === space)
        return { all: held.length, ofTenant: ofTenant.length, ofSpace: ofSpace.length }
      }
      let got = 0
      for (; got <= places && hasFreePlace(places, taken(), areTenantsSeveral); got += 1) held.push([tenant, space])
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
    (_, places, several, requests, got) => {
      expect(shared(places, requests, several)).toEqual(got)
    },
  )

  it('are never more than there are', () => {
    expect(hasFreePlace(8, { all: 8, ofTenant: 0, ofSpace: 0 }, false)).toBe(false)
    expect(hasFreePlace(8, { all: 8, ofTenant: 0, ofSpace: 0 }, true)).toBe(false)
    expect(hasFreePlace(1, none, false)).toBe(true)
  })
})

it('an action that only waits leaves its place to others, as long as its space may have another one wait', async () => {
  const onRelease = vi.fn()
  const shares = createShares({ working: 4, waiting: 2 }, onRelease)
  const busy = { tenant_id: 't', space_id: 'busy' }
  const [first, second] = [shares.take(busy), shares.take(busy)]
  expect(shares.hasFreePlaceFor(busy)).toBe(false)
  expect(shares.hasFreePlaceFor({ ...busy, space_id: 'other' })).toBe(true)
  first.moveToWaiting()
  await first.released
  expect(onRelease).toHaveBeenCalledTimes(1)
  expect(shares.hasFreePlaceFor(busy)).toBe(true)
  second.moveToWaiting()
  expect(onRelease).toHaveBeenCalledTimes(1)
  first.end()
  first.end()
  expect(onRelease).toHaveBeenCalledTimes(2)
  second.moveToWaiting()
  await second.released
  shares.tenantsAreSeveral()
  expect(shares.hasFreePlaceFor(busy)).toBe(true)
  shares.take(busy)
  expect(shares.hasFreePlaceFor(busy)).toBe(false)
})
