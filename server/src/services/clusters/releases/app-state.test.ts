import { expect, it } from 'vitest'
import type { Release } from '../../../adapters/helm/release.ts'
import type { Part } from './app-parts.ts'
import { deployedBeside, kindsOfState, mayOverwrite, type Seen, type Standing, stateOfApp, words } from './app-state.ts'
import { lockOf } from './release-lock.ts'
import type { WorkloadState } from './state-of.ts'

function part(state: WorkloadState, more: Partial<Part> = {}): Part {
  const said = { state, detail: 'detail', message: state === 'healthy' ? null : 'why' }
  return {
    id: state,
    parent: null,
    kind: 'Deployment',
    name: 'web',
    namespace: 'n',
    object: undefined,
    hook: false,
    state: said,
    ...more,
  }
}

const now = Date.parse('2026-01-01T12:00:00Z')
const minutesAgo = (minutes: number) => now - minutes * 60_000

/** Statuses, newest revision first, as the labels of the Secrets tell them. */
function content(statuses: string[], description = '', changedAt = minutesAgo(1)) {
  const history = statuses.map((status, index) => ({ revision: statuses.length - index, status }))
  const release = { revision: statuses.length, status: statuses[0], description } as Release
  return { release, history, changedAt }
}
const known = { revision: 1, state: 'healthy', stateMessage: null } as const
function state(found: ReturnType<typeof content> | undefined, parts = [part('healthy')], app: Seen['app'] = known) {
  const held = found && { ...found.release, changedAt: found.changedAt }
  const lock = mayOverwrite(app.state) ? lockOf(held, parts, { now, deadAfterSeconds: 600 }) : undefined
  return stateOfApp({ content: found, parts, app, lock })
}

it.each<[string, ReturnType<typeof content>, WorkloadState, RegExp]>([
  ['the first installation failed', content(['failed'], 'timed out'), 'failed', /^timed out$/],
  ['every installation failed', content(['failed', 'failed'], 'timed out'), 'failed', /^timed out$/],
  ['an upgrade failed', content(['failed', 'deployed'], 'timed out'), 'degraded', /^Revision 2 failed: timed out$/],
  ['a rollback failed', content(['failed', 'superseded', 'superseded']), 'degraded', /^Revision 3 failed: The release/],
  [
    'somebody outside upgrades',
    content(['pending-upgrade', 'deployed'], '', minutesAgo(9)),
    'progressing',
    /^Somebody outside this portal is probably working .* revision 2 is pending-upgrade since 2026-01-01 11:51 UTC/,
  ],
  [
    'a foreign Helm was killed',
    content(['pending-install'], '', minutesAgo(10)),
    'degraded',
    /seems to be gone: revision 1 is pending-install since 2026-01-01 11:50 UTC, and nothing has moved since .* Repair/,
  ],
  [
    'somebody outside deletes',
    content(['uninstalling'], '', minutesAgo(2)),
    'progressing',
    /probably deleting .* 0 of 1 objects are still there/,
  ],
  [
    'a foreign deletion was cut',
    content(['uninstalling'], '', minutesAgo(70)),
    'degraded',
    /seems to have been stopped while it deleted .* since 2026-01-01 10:50 UTC, 0 of 1 .* Delete the app .* or repair/,
  ],
  [
    'two revisions count',
    content(['deployed', 'deployed', 'failed']),
    'degraded',
    /^Revision 2 counts as deployed beside/,
  ],
  [
    'the history of an uninstalled one is left',
    content(['uninstalled', 'superseded']),
    'failed',
    /uninstalled the release with Helm and kept its history: .* Upgrade the app, which installs it again, or delete it/,
  ],
  [
    'the revision that counted is gone',
    content(['superseded']),
    'degraded',
    /^No revision of the release counts as deployed: the newest that is left, 1, is superseded\. .* Upgrade the app/,
  ],
  [
    'Helm does not know what became of it',
    content(['unknown', 'superseded']),
    'degraded',
    /the newest that is left, 2, is unknown/,
  ],
])('when %s', (_, found, word, message) => {
  expect(state(found)).toEqual({ state: word, message: expect.stringMatching(message) })
})

it('what still moves is at work, however long ago it began', () => {
  const moving = (at: number, more: object = {}) =>
    part('progressing', {
      object: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: {
          name: 'web',
          creationTimestamp: '2025-01-01T00:00:00Z',
          managedFields: [{ time: new Date(at).toISOString(), ...more }],
        },
      } as never,
    })
  const old = content(['pending-upgrade', 'deployed'], '', minutesAgo(60))
  expect(state(old, [moving(minutesAgo(3))]).state).toBe('progressing')
  expect(state(old, [moving(minutesAgo(30))]).state).toBe('degraded')
  // A pod that crashes changes its state for ever, and no Helm has to be alive for that.
  expect(state(old, [moving(minutesAgo(3), { subresource: 'status' })]).state).toBe('degraded')
})

it('while an action of this portal works on it, nobody from outside does', () => {
  const deploying = { ...known, state: 'deploying' } as const
  expect(state(content(['pending-upgrade', 'deployed']), [part('degraded')], deploying)).toEqual({
    state: 'progressing',
    message: 'Helm is running',
  })
})

it.each<[string, Part[], WorkloadState, string | null]>([
  ['that is well', [part('healthy')], 'healthy', null],
  ['without objects', [], 'healthy', null],
  ['with a bad object', [part('healthy'), part('progressing'), part('degraded')], 'degraded', 'Deployment web: why'],
  ['with a failed hook', [part('healthy'), part('failed', { hook: true })], 'healthy', null],
  ['with a failed pod that was replaced', [part('healthy'), part('failed', { parent: 'healthy' })], 'healthy', null],
])('a deployed release %s', (_, parts, word, message) => {
  expect(state(content(['deployed', 'superseded']), parts)).toEqual({ state: word, message })
})

it('of a failed upgrade the objects can only make it worse', () => {
  const failed = content(['failed', 'deployed'], 'no')
  const word = (own: WorkloadState) => state(failed, [part(own)]).state
  expect([word('healthy'), word('progressing'), word('failed')]).toEqual(['degraded', 'degraded', 'failed'])
})

it('every way in which a release can stand has its word in the table', () => {
  const expected: Record<Standing, WorkloadState> = {
    'never there': 'failed',
    missing: 'failed',
    uninstalled: 'failed',
    'not deployed': 'degraded',
    unreadable: 'degraded',
    'first installation failed': 'failed',
    'newest revision failed': 'degraded',
    'action at work': 'progressing',
    'held outside': 'progressing',
    'held by nobody': 'degraded',
    'deployed twice': 'degraded',
    deployed: 'healthy',
  }
  expect(Object.fromEntries(Object.entries(words).map(([key, word]) => [key, word.state]))).toEqual(expected)
})

it('of several deployed revisions the newest is it', () => {
  expect(deployedBeside(content(['failed', 'deployed', 'deployed', 'deployed', 'failed']).history)).toEqual([2, 3])
  expect(deployedBeside(content(['failed', 'deployed', 'superseded']).history)).toEqual([])
  expect(deployedBeside([])).toEqual([])
})

it('whose release was deleted by somebody says so and what to do, one that never had any says why', () => {
  const whole = { revision: 3, state: 'failed', stateMessage: 'Upgrade failed: no' } as const
  expect(state(undefined, [], whole)).toMatchObject({
    state: 'failed',
    message: expect.stringMatching(/missing in the cluster: somebody has deleted it .* Delete the app/),
  })
  const never = { revision: null, state: 'failed', stateMessage: 'Deployment failed: no' } as const
  expect(state(undefined, [], never).message).toBe('Deployment failed: no')
  expect(state(undefined, [], { ...never, state: 'unknown' }).message).toBe('Deployment failed: no')
  expect(state(undefined, [], { ...never, stateMessage: null }).message).toContain('left no release')
  const half = { ...whole, stateMessage: 'Deletion failed: access could not be taken back' } as const
  expect(state(undefined, [], half).message).toBe('Deletion failed: access could not be taken back')
  expect(state(content(['uninstalled']), [], half).message).toBe('Deletion failed: access could not be taken back')
})

it('leaves an app alone that an action works on', () => {
  expect(mayOverwrite('deploying')).toBe(false)
  expect(mayOverwrite('degraded')).toBe(true)
})

it('needs the own kinds of a release and what says why one of them is stuck', () => {
  expect(kindsOfState([{ kind: 'StatefulSet' }, { kind: 'ConfigMap' }, { kind: 'Kafka' }, { kind: 'Pod' }])).toEqual([
    'StatefulSet',
    'Pod',
    'ReplicaSet',
  ])
})
