import { expect, test } from 'vitest'
import type { Found, HelmKind } from '../releases/release-state.ts'
import { type Case, decide, type Verdict } from './recovery.ts'

const kinds: HelmKind[] = ['Deploy', 'Upgrade', 'Rollback', 'Delete']
const ask = (kind: HelmKind, found: Found, more: Partial<Case> = {}) =>
  decide({ kind, found, last: 'lost', attempt: 1, unreachableSeconds: 0, unavailableSeconds: 0, ...more })
const short = (verdict: Verdict) => (verdict.do === 'finish' ? verdict.state : verdict.do)

const absent: Found = { is: 'absent' }
const uninstalled: Found = { is: 'uninstalled' }
const unreadable: Found = { is: 'unreadable', revision: 2 }
const ours: Found = { is: 'deployed', ours: true, revision: 2 }
const theirs: Found = { is: 'deployed', ours: false, revision: 2 }
const pending = { is: 'pending', revision: 2, status: 'pending-upgrade' } as const
const pendingOurs: Found = { ...pending, ours: true, elsewhere: false }
const pendingEarlier: Found = { ...pending, ours: false, elsewhere: false, held: 'never of an action of ours' }
const pendingForeign: Found = { ...pending, ours: false, elsewhere: true }
const heldForeign: Found = { ...pendingForeign, held: 'somebody outside is at work' }
const uninstalling: Found = { is: 'uninstalling', revision: 2 }
const heldUninstalling: Found = { ...uninstalling, held: 'somebody outside deletes it' }
const twice: Found = { is: 'two-deployed', older: 1 }
const failedOurs: Found = { is: 'failed', ours: true, revision: 2, description: 'image not found', cut: false }
const cutOurs: Found = { ...failedOurs, description: 'Preparing upgrade', cut: true }
const failedTheirs: Found = { ...failedOurs, ours: false }
const unreachable: Found = { is: 'unreachable' }

// One row for each thing that can be found, one column for each kind: after a takeover, with one start behind us.
test.each<[string, Found, string[]]>([
  ['nothing', absent, ['run', 'Failed', 'Failed', 'Success']],
  ['a history without a release', uninstalled, ['run', 'run', 'Failed', 'run']],
  ['a damaged revision', unreadable, ['Failed', 'Failed', 'Failed', 'run']],
  ['deployed by us', ours, ['Success', 'Success', 'Success', 'run']],
  ['deployed, not by us', theirs, ['Failed', 'run', 'run', 'run']],
  ['pending by us', pendingOurs, ['unlock', 'unlock', 'unlock', 'run']],
  ['pending by an earlier action', pendingEarlier, ['unlock', 'unlock', 'unlock', 'run']],
  ['pending by somebody long ago', pendingForeign, ['unlock', 'unlock', 'unlock', 'run']],
  ['uninstalling', uninstalling, ['unlock', 'unlock', 'unlock', 'run']],
  ['two deployed', twice, ['supersede', 'supersede', 'supersede', 'run']],
  ['failed by us', failedOurs, ['Failed', 'Failed', 'Failed', 'run']],
  ['unlocked by us', cutOurs, ['run', 'run', 'run', 'run']],
  ['failed, not by us', failedTheirs, ['run', 'run', 'run', 'run']],
  ['an unreachable cluster', unreachable, ['wait', 'wait', 'wait', 'wait']],
])('found %s after a takeover', (_, found, expected) => {
  expect(kinds.map((kind) => short(ask(kind, found)))).toEqual(expected)
})

test.each<[string, Found, string[]]>([
  ['nothing', absent, ['Failed', 'Failed', 'Failed', 'Success']],
  ['deployed by us', ours, ['Success', 'Success', 'Success', 'Failed']],
  ['deployed, not by us', theirs, ['Failed', 'Failed', 'Failed', 'Failed']],
  ['pending by us', pendingOurs, ['unlock', 'unlock', 'unlock', 'unlock']],
  ['uninstalling', uninstalling, ['unlock', 'unlock', 'unlock', 'unlock']],
  ['failed by us', failedOurs, ['Failed', 'Failed', 'Failed', 'Failed']],
  ['unlocked by us', cutOurs, ['Failed', 'Failed', 'Failed', 'Failed']],
])('found %s with both starts used up: nothing starts a third time', (_, found, expected) => {
  expect(kinds.map((kind) => short(ask(kind, found, { attempt: 2 })))).toEqual(expected)
})

test.each<[string, Found, string[]]>([
  ['nothing', absent, ['run', 'Failed', 'Failed', 'Success']],
  ['a deployed release', theirs, ['Failed', 'run', 'run', 'run']],
  ['a failed release', failedTheirs, ['run', 'run', 'run', 'run']],
  ['an operation of somebody else', heldForeign, ['Failed', 'Failed', 'Failed', 'Failed']],
  ['a deletion of somebody else', heldUninstalling, ['Failed', 'Failed', 'Failed', 'Failed']],
  ['a deletion that nobody works on', uninstalling, ['unlock', 'unlock', 'unlock', 'run']],
])('found %s before Helm first runs', (_, found, expected) => {
  expect(kinds.map((kind) => short(ask(kind, found, { last: 'never', attempt: 0 })))).toEqual(expected)
})

test('an exit code of 1 does not make a deployed revision a failure, nor one of 0 a pending one a success', () => {
  expect(short(ask('Upgrade', ours, { last: 'refused' }))).toBe('Success')
  expect(short(ask('Deploy', pendingOurs, { last: 'done' }))).toBe('unlock')
  expect(short(ask('Delete', absent, { last: 'refused' }))).toBe('Success')
})

test('what Helm refused is not tried again', () => {
  expect(short(ask('Deploy', absent, { last: 'refused' }))).toBe('Failed')
  expect(short(ask('Upgrade', theirs, { last: 'refused' }))).toBe('Failed')
  expect(short(ask('Upgrade', failedTheirs, { last: 'refused' }))).toBe('Failed')
})

test.each<[string, Found, string[]]>([
  ['nothing', absent, ['again', 'Failed', 'Failed', 'Success']],
  ['deployed by us', ours, ['Success', 'Success', 'Success', 'again']],
  ['deployed, not by us', theirs, ['Failed', 'again', 'again', 'again']],
  ['failed, not by us', failedTheirs, ['again', 'again', 'again', 'again']],
  ['pending by us', pendingOurs, ['unlock', 'unlock', 'unlock', 'run']],
  ['failed by us', failedOurs, ['Failed', 'Failed', 'Failed', 'again']],
  ['cut by us', cutOurs, ['run', 'run', 'run', 'again']],
  ['uninstalling', uninstalling, ['unlock', 'unlock', 'unlock', 'run']],
])(
  'found %s after an API that was not available to Helm: only what wrote nothing is begun again',
  (_, found, expected) => {
    expect(kinds.map((kind) => short(ask(kind, found, { last: 'api-unavailable' })))).toEqual(expected)
    const late = { last: 'api-unavailable', unavailableSeconds: 121 } as const
    const inTheEnd = expected.map((each) => (each === 'again' ? 'Failed' : each))
    expect(kinds.map((kind) => short(ask(kind, found, late)))).toEqual(inTheEnd)
  },
)

test('somebody at work on the release from outside is not crossed by a deletion, whatever came before it', () => {
  for (const last of ['never', 'lost', 'refused'] as const)
    expect(ask('Delete', heldForeign, { last })).toMatchObject({
      state: 'Failed',
      because: expect.stringContaining('outside'),
    })
})

test('what ran out of time is not started again', () => {
  expect(short(ask('Upgrade', theirs, { last: 'timeout' }))).toBe('Failed')
  expect(short(ask('Deploy', { ...cutOurs, description: 'interrupted' }, { last: 'timeout' }))).toBe('Failed')
  expect(short(ask('Delete', ours, { last: 'timeout' }))).toBe('Failed')
  // A deletion that is half done leaves less to do for the second try.
  expect(short(ask('Delete', uninstalling, { last: 'timeout' }))).toBe('run')
})

test('an unreachable cluster is waited for, but not for ever', () => {
  const late = ask('Deploy', unreachable, { unreachableSeconds: 901 })
  expect(late).toMatchObject({ do: 'finish', state: 'Failed', because: expect.stringContaining('unknown') })
})

test('after the unlock of an interrupted deletion the action ends', () => {
  expect(ask('Upgrade', uninstalling)).toMatchObject({ do: 'unlock', thenFail: true })
})

test('a deletion that has run Helm itself goes on with what it finds half deleted', () => {
  expect(short(ask('Delete', heldUninstalling, { last: 'lost', attempt: 1 }))).toBe('run')
  expect(short(ask('Delete', heldUninstalling, { last: 'never', attempt: 0 }))).toBe('Failed')
})

test.each<[string, Found, string, string]>([
  ['what a living Helm holds', heldForeign, 'Failed', 'unlock'],
  ['what a living Helm deletes', heldUninstalling, 'Failed', 'unlock'],
  ['what nobody works on any more', pendingForeign, 'unlock', 'unlock'],
  ['what an action of ours left', pendingEarlier, 'unlock', 'unlock'],
  ['a deletion that was cut', uninstalling, 'unlock', 'unlock'],
  ['two deployed revisions', twice, 'supersede', 'supersede'],
  ['what is well', theirs, 'Success', 'Success'],
])('a repair of %s', (_, found, asked, forced) => {
  expect(short(ask('Repair', found))).toBe(asked)
  expect(short(ask('Repair', found, { force: true }))).toBe(forced)
})

test('a repair puts away what nobody can read, and has nothing to free where a release was uninstalled', () => {
  expect(ask('Repair', unreadable, { attempt: 0 })).toEqual({ do: 'set-aside', revision: 2 })
  expect(ask('Repair', uninstalled, { attempt: 0 })).toMatchObject({
    state: 'Failed',
    because: expect.stringContaining('kept its history'),
  })
})
