import { expect, it } from 'vitest'
import type { Part } from './app-parts.ts'
import { kindsOfState, mayOverwrite, stateOfApp } from './app-state.ts'
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
const deployed = { status: 'deployed', description: '' }

it.each([
  ['whose release failed', { status: 'failed', description: 'timed out' }, [part('healthy')], 'failed', 'timed out'],
  [
    'that Helm works on',
    { status: 'pending-upgrade', description: '' },
    [part('degraded')],
    'progressing',
    'Helm is at work',
  ],
  ['that is well', deployed, [part('healthy')], 'healthy', null],
  ['without objects', deployed, [], 'healthy', null],
  [
    'with a bad object',
    deployed,
    [part('healthy'), part('progressing'), part('degraded')],
    'degraded',
    'Deployment web: why',
  ],
  ['with a failed hook', deployed, [part('healthy'), part('failed', { hook: true })], 'healthy', null],
  [
    'with a failed pod that was replaced',
    deployed,
    [part('healthy'), part('failed', { parent: 'healthy' })],
    'healthy',
    null,
  ],
] as const)('an app %s', (_, release, parts, state, message) => {
  expect(stateOfApp(release, parts, { revision: 1, state: 'healthy', stateMessage: null })).toEqual({ state, message })
})

it('whose release was deleted by somebody says so and what to do, one that never had any says why', () => {
  const whole = { revision: 3, state: 'failed', stateMessage: 'Upgrade failed: no' } as const
  expect(stateOfApp(undefined, [], whole)).toMatchObject({
    state: 'failed',
    message: expect.stringMatching(/missing in the cluster: somebody has deleted it .* Delete the app/),
  })
  const never = { revision: null, state: 'failed', stateMessage: 'Deployment failed: no' } as const
  expect(stateOfApp(undefined, [], never).message).toBe('Deployment failed: no')
  expect(stateOfApp(undefined, [], { ...never, stateMessage: null }).message).toContain('left no release')
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
