import { expect, test } from 'vitest'
import type { ReleaseLock, ReleaseRevision } from '../ports.ts'
import { classify, type Question } from './release-state.ts'

const revision = (number: number, status: string, more: Partial<ReleaseRevision> = {}): ReleaseRevision => ({
  name: 'web',
  namespace: 'space',
  revision: number,
  status,
  labels: {},
  description: '',
  notes: '',
  chart: { name: 'web', version: '1.0.0', appVersion: null },
  updatedAt: '2026-01-01T00:09:00Z',
  values: {},
  hooks: [],
  manifest: '',
  ...more,
})
const question: Question = { kind: 'Upgrade', actionId: 'a1', target: null, baseRevision: 1 }

test('no revision is an absent release, one whose history was kept an uninstalled one', () => {
  expect(classify([], question)).toEqual({ is: 'absent' })
  expect(classify([revision(3, 'uninstalled')], question)).toEqual({ is: 'uninstalled' })
})

test('a newest revision that nobody can read is named, but not to a deletion, and an older one is nobody’s business', () => {
  const found = [revision(2, 'superseded')]
  expect(classify(found, question, { unreadable: [1, 3] })).toEqual({ is: 'unreadable', revision: 3 })
  expect(classify([], question, { unreadable: [1] })).toEqual({ is: 'unreadable', revision: 1 })
  expect(classify([revision(2, 'deployed')], question, { unreadable: [1] })).toMatchObject({ is: 'deployed' })
  expect(classify(found, { ...question, kind: 'Delete' }, { unreadable: [3] })).toMatchObject({ is: 'failed' })
  expect(classify([], { ...question, kind: 'Delete' }, { unreadable: [1] })).toEqual({ is: 'absent' })
})

test('a revision is ours by the label of the action', () => {
  const found = classify([revision(2, 'deployed', { labels: { portalAction: 'a1' } })], question)
  expect(found).toEqual({ is: 'deployed', ours: true, revision: 2 })
  expect(classify([revision(2, 'deployed')], question)).toMatchObject({ ours: false })
})

test('a rollback is ours by what it says and by being newer than what was there', () => {
  const rollback: Question = { kind: 'Rollback', actionId: 'a1', target: 1, baseRevision: 2 }
  const made = revision(3, 'deployed', { description: 'Rollback to 1' })
  expect(classify([made], rollback)).toMatchObject({ is: 'deployed', ours: true })
  const broken = revision(3, 'failed', { description: 'Release "web" failed: no' })
  expect(classify([broken], rollback)).toMatchObject({ is: 'failed', ours: true })
  expect(classify([made], { ...rollback, baseRevision: 3 })).toMatchObject({ ours: false })
  expect(classify([revision(3, 'deployed')], rollback)).toMatchObject({ ours: false })
})

test('two deployed revisions are named before anything else', () => {
  expect(classify([revision(3, 'deployed'), revision(2, 'deployed')], question)).toEqual({
    is: 'two-deployed',
    older: 2,
  })
})

test('a pending revision without a label of ours was made elsewhere', () => {
  const found = classify([revision(2, 'pending-upgrade')], question)
  expect(found).toMatchObject({ is: 'pending', ours: false, elsewhere: true })
  const earlier = classify([revision(2, 'pending-upgrade', { labels: { portalAction: 'a0' } })], question)
  expect(earlier).toMatchObject({ ours: false, elsewhere: false })
})

test('a label that Helm took over from a deployed revision makes a pending one nobody’s of ours', () => {
  const labels = { portalAction: 'a0' }
  const foreign = [revision(2, 'pending-upgrade', { labels }), revision(1, 'deployed', { labels })]
  expect(classify(foreign, question)).toMatchObject({ is: 'pending', ours: false, elsewhere: true })
  const secondTry = [revision(2, 'pending-upgrade', { labels }), revision(1, 'failed', { labels })]
  expect(classify(secondTry, question)).toMatchObject({ elsewhere: false })
})

test('a Helm from outside that seems to live holds its own revision, one that is gone holds nothing', () => {
  const lock: ReleaseLock = { revision: 2, status: '', since: '', movedAt: '', isDead: false, says: 'at work' }
  const pending = [revision(2, 'pending-upgrade'), revision(1, 'deployed')]
  expect(classify(pending, question, { lock })).toMatchObject({ is: 'pending', held: 'at work' })
  expect(classify(pending, question, { lock: { ...lock, isDead: true } })).not.toHaveProperty('held')
  expect(classify(pending, question, { lock: { ...lock, revision: 1 } })).not.toHaveProperty('held')
  expect(classify([revision(2, 'uninstalling')], question, { lock })).toMatchObject({
    is: 'uninstalling',
    held: 'at work',
  })
})

test.each([
  ['Initial install underway', true],
  ['Preparing upgrade', true],
  ['Rollback to 2', true],
  ['Release "web" failed: context canceled', true],
  ['Release "web" failed: resource not ready: context deadline exceeded', false],
  ['Upgrade "web" failed: Deployment.apps "web" is invalid', false],
])('a failed revision that says %s was cut: %s', (description, cut) => {
  expect(classify([revision(2, 'failed', { description })], question)).toMatchObject({ is: 'failed', cut })
})
