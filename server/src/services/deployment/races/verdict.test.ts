import { expect, test } from 'vitest'
import { allRaces, racers, spreadOfRaces } from './cases.ts'
import { brokenBy, type Told } from './verdict.ts'

const action = { id: 'a', state: 'Success', from: 0, to: 10, baseRevision: 1, finals: 1 }
const upgraded: Told = { kind: 'Upgrade', user: 'ada', status: 202, code: '', action }
const refused: Told = {
  kind: 'Delete',
  user: 'bo',
  status: 409,
  code: 'deployment.already-running',
  details: { kind: 'Upgrade', startedBy: 'ada' },
}
const revisions = [
  { revision: 1, status: 'superseded', action: 'before' },
  { revision: 2, status: 'deployed', action: 'a' },
]

test('one winner, and the other is told who that is', () => {
  expect(brokenBy([upgraded, refused], revisions, 1)).toEqual([])
  expect(brokenBy([upgraded, { ...refused, details: undefined }], revisions, 1)).toHaveLength(1)
  expect(
    brokenBy([upgraded, { ...refused, details: { kind: 'Upgrade', startedBy: 'bo' } }], revisions, 1),
  ).toHaveLength(1)
  expect(brokenBy([upgraded, { ...refused, status: 500, code: 'internal' }], revisions, 1)).toHaveLength(1)
})

test('a Success that the cluster does not show, a stuck revision and two Helm are found', () => {
  expect(brokenBy([upgraded, refused], revisions.slice(0, 1), 1)).toHaveLength(1)
  expect(
    brokenBy([upgraded, refused], [...revisions, { revision: 3, status: 'pending-upgrade', action: 'x' }], 1),
  ).toHaveLength(2)
  expect(brokenBy([upgraded, refused], revisions, 2)).toHaveLength(1)
})

test('two that ran at the same time are found, two in turn are well', () => {
  const deleted: Told = { ...refused, status: 202, code: '', action: { ...action, id: 'b', from: 5, to: 20 } }
  expect(brokenBy([upgraded, deleted], [], 1)).toHaveLength(1)
  expect(brokenBy([upgraded, { ...deleted, action: { ...action, id: 'b', from: 10, to: 20 } }], [], 1)).toEqual([])
})

test('the spread has two timings of every pair', () => {
  expect(allRaces).toHaveLength(400)
  expect(spreadOfRaces()).toHaveLength(32)
  expect(new Set(spreadOfRaces().map(({ first, second }) => first + second)).size).toBe(racers.length ** 2)
})
