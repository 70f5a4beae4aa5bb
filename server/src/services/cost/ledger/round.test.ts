import { expect, test } from 'vitest'
import type { SeenRound } from '../../metrics/collector/collector.ts'
import { hoursOf, takenIn } from './round.ts'

const amounts = (requests: number | null, usage: number | null) => ({ requests, usage, limits: null })
const pod = (name: string, release: string | null, cpu: [number | null, number | null], namespace = 'shop-1') => ({
  ...{ namespace, name, release },
  containers: [{ name: 'web', cpu: amounts(...cpu), memory: amounts(null, null) }],
})
const round = (use: Partial<SeenRound['use']>): SeenRound => ({
  ...{ tenantId: 't', clusterId: 'c', at: new Date() },
  use: { pods: [], nodes: [], claims: [], loadBalancers: [], ...use },
  spaces: new Map([['shop-1', 'shop']]),
  appOf: (_, release) => (release === 'web' ? 'app1' : undefined),
  capacity: { cpu: 8, memory: 16 },
})
const of = (use: Partial<SeenRound['use']>, resource: string) =>
  takenIn(round(use))
    .filter((one) => one.resource === resource && one.spaceId !== '')
    .map(({ appId, amount, requested, used }) => ({ appId, amount, requested, used }))

test('each container counts with the larger of request and use', () => {
  const pods = [pod('a', 'web', [1, 0.25]), pod('b', 'web', [1, 2]), pod('c', 'web', [null, 0.5])]
  expect(of({ pods }, 'cpu')).toEqual([{ appId: 'app1', amount: 3.5, requested: 2, used: 2.75 }])
})

test('what belongs to no app is the space’s own, and what belongs to no space is left to what is idle', () => {
  const pods = [pod('a', 'other', [1, 0]), pod('b', null, [1, 0]), pod('c', 'web', [9, 0], 'kube-system')]
  expect(of({ pods }, 'cpu')).toEqual([{ appId: '', amount: 2, requested: 2, used: 0 }])
})

test('claims count by class, load balancers by number, and time once', () => {
  const claim = { namespace: 'shop-1', release: 'web', storageClass: 'fast', bytes: 5 }
  const use = { claims: [claim, claim], loadBalancers: [{ namespace: 'shop-1', release: 'web' }] }
  expect(of(use, 'storage')).toMatchObject([{ appId: 'app1', amount: 10 }])
  expect(of(use, 'loadBalancer')).toMatchObject([{ appId: 'app1', amount: 1 }])
  expect(of(use, 'time')).toMatchObject([{ amount: 1 }])
})

test('the cluster as a whole has its capacity', () => {
  const whole = takenIn(round({})).map(({ spaceId, resource, amount }) => [spaceId, resource, amount])
  expect(whole).toEqual([
    ['', 'time', 1],
    ['', 'cpu', 8],
    ['', 'memory', 16],
  ])
})

test('time before a round falls into its hours, and a gap is not measured', () => {
  const at = new Date('2031-05-01T10:00:10Z')
  const minutes = (before: string | undefined) =>
    hoursOf(before === undefined ? undefined : new Date(before), at, 30).map(({ hour, part }) => [
      hour.toISOString().slice(11, 13),
      Math.round(part * 3600),
    ])
  expect(minutes('2031-05-01T09:59:30Z')).toEqual([
    ['09', 30],
    ['10', 10],
  ])
  expect(minutes(undefined)).toEqual([
    ['09', 20],
    ['10', 10],
  ])
  // Nobody knows what ran in between.
  expect(minutes('2031-05-01T06:00:00Z')).toEqual([
    ['09', 20],
    ['10', 10],
  ])
  expect(minutes('2031-05-01T10:00:10Z')).toEqual([])
})
