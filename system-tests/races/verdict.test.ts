import { expect, test } from 'vitest'
import { allRaces, racers, spreadOfRaces } from './cases.ts'
import { brokenBy, type Reported } from './verdict.ts'

const action = { id: 'a', state: 'Success', from: 0, to: 10, finals: 1 }
const upgraded: Reported = { kind: 'Upgrade', user: 'ada', status: 202, code: '', action }
const refused: Reported = {
  kind: 'Delete',
  user: 'bo',
  status: 409,
  code: 'deployment.already-running',
  details: { kind: 'Upgrade', startedBy: 'ada' },
}
const installed = {
  ...{ revision: 1, status: 'superseded', action: 'before' },
  ...{ description: 'Install complete', madeAt: -10 },
}
const revisions = [
  installed,
  { revision: 2, status: 'deployed', action: 'a', description: 'Upgrade complete', madeAt: 1 },
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
    brokenBy(
      [upgraded, refused],
      [...revisions, { ...installed, revision: 3, status: 'pending-upgrade', action: 'x' }],
      1,
    ),
  ).toHaveLength(2)
  expect(brokenBy([upgraded, refused], revisions, 2)).toHaveLength(1)
})

test('a rollback is known by its words and by being newer than the command', () => {
  const rolledBack: Reported = { ...upgraded, kind: 'Rollback' }
  const back = { ...installed, revision: 3, status: 'deployed', description: 'Rollback to 1', madeAt: 2 }
  const told: [Reported, Reported] = [rolledBack, { ...refused, details: { kind: 'Rollback', startedBy: 'ada' } }]
  expect(brokenBy(told, [installed, back], 1)).toEqual([])
  expect(brokenBy(told, [installed, { ...back, madeAt: -5 }], 1)).toHaveLength(1)
  expect(brokenBy(told, revisions, 1)).toHaveLength(1)
})

test('two that ran at the same time are found, two in turn are well', () => {
  const deleted: Reported = { ...refused, status: 202, code: '', action: { ...action, id: 'b', from: 5, to: 20 } }
  expect(brokenBy([upgraded, deleted], [], 1)).toHaveLength(1)
  expect(brokenBy([upgraded, { ...deleted, action: { ...action, id: 'b', from: 10, to: 20 } }], [], 1)).toEqual([])
})

test('the spread has two timings of every pair', () => {
  expect(allRaces).toHaveLength(400)
  expect(spreadOfRaces()).toHaveLength(32)
  expect(new Set(spreadOfRaces().map(({ first, second }) => first + second)).size).toBe(racers.length ** 2)
})
