import { describe, expect, it } from 'vitest'
import { type Limits, type Load, nextOf, verdictOn } from './fairness.ts'

const limits: Limits = {
  ...{ places: 4, placesOfTenant: 3, placesOfPerson: 2 },
  ...{ waiting: 8, waitingOfTenant: 4, waitingOfPerson: 2, writeFactor: 4 },
}
const load = (running: number, waiting = 0, servedAt = 0): Load => ({ running, waiting, servedAt })
const read = { onlyReads: true, hasBegun: false }
const write = { onlyReads: false, hasBegun: false }
const busy = load(2, 0)

describe('a call', () => {
  it.each([
    ['everybody has', { all: load(4), tenant: load(0), person: load(0) }],
    ['its tenant has', { all: load(3), tenant: load(3), person: load(0) }],
    ['its person has', { all: load(2), tenant: load(2), person: load(2) }],
  ])('waits when %s all the places there are', (_, loads) => {
    expect(verdictOn(read, loads, limits)).toBe('wait')
  })

  it('runs while its person, its tenant and everybody have room', () => {
    expect(verdictOn(read, { all: load(3), tenant: load(2), person: load(1) }, limits)).toBe('run')
  })

  it.each([
    ['too many of the person', { all: load(4, 2), tenant: load(2, 2), person: load(2, 2) }],
    ['too many', { all: load(4, 4), tenant: load(3, 4), person: load(0, 1) }],
    ['too many', { all: load(4, 8), tenant: load(3, 3), person: load(0, 1) }],
  ])('is refused: %s', (verdict, loads) => {
    expect(verdictOn(read, loads, limits)).toBe(verdict)
  })

  it('that writes is refused last, and one that has begun is not refused', () => {
    const loads = (waiting: number) => ({ all: load(4, waiting), tenant: busy, person: load(2, waiting) })
    expect([2, 7, 8].map((waiting) => verdictOn(write, loads(waiting), limits))).toEqual([
      'wait',
      'wait',
      'too many of the person',
    ])
    expect(verdictOn({ ...read, hasBegun: true }, loads(1000), limits)).toBe('wait')
  })
})

describe('the next one', () => {
  const waiter = (name: string, tenant: Load, person: Load, hasBegun = false) => ({
    ...{ name, tenant, person },
    caller: { hasBegun },
  })
  const next = (...waiting: ReturnType<typeof waiter>[]) => nextOf(waiting, load(3), limits)?.name
  const quiet = load(0)

  it('is of the tenant with the fewest under way, and in it of the person with the fewest', () => {
    expect(next(waiter('a', load(2), quiet), waiter('b', load(1), load(1)), waiter('c', load(1), quiet))).toBe('c')
  })

  it('among equals is who was let in the longest time ago, then who has begun, then who came first', () => {
    const tenant = load(1)
    expect(next(waiter('a', tenant, load(0, 1, 9)), waiter('b', tenant, load(0, 1, 3)))).toBe('b')
    expect(next(waiter('a', tenant, quiet), waiter('b', tenant, quiet, true))).toBe('b')
    expect(next(waiter('a', tenant, quiet), waiter('b', tenant, quiet))).toBe('a')
  })

  it('is nobody whose person or tenant has all the places that it can have', () => {
    expect(next(waiter('a', load(3), quiet), waiter('b', load(2), load(2)))).toBeUndefined()
    expect(nextOf([waiter('a', quiet, quiet)], load(4), limits)).toBeUndefined()
  })
})
