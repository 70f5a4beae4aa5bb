import type { App } from '@quayside/contract/apps/endpoints'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { Action } from '@quayside/contract/deployments/endpoints'
import { expect, it } from 'vitest'
import { attentionFrom } from './attention.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const app = (id: string, state: string) =>
  ({ id, state, displayName: id, stateMessage: null, spaceName: 's', clusterName: 'c' }) as App
const cluster = (id: string, health: string) => ({ id, health, displayName: id, healthMessage: 'no answer' }) as Cluster
const action = (id: string, appId: string, finishedAt: string) =>
  ({ id, appId, appName: appId, kind: 'Upgrade', finishedAt, result: null }) as Action

it('puts what failed first and leaves healthy clusters out', () => {
  const shown = attentionFrom(
    [app('a', 'degraded'), app('b', 'failed')],
    [cluster('x', 'healthy'), cluster('y', 'unreachable')],
    [],
    now,
  )
  expect(shown.map(({ key }) => key)).toEqual(['app b', 'cluster y', 'app a'])
})

it('names failed actions of the last day, unless their app is named already', () => {
  const actions = [
    action('1', 'a', '2026-11-21T11:00:00Z'),
    action('2', 'z', '2026-11-21T11:00:00Z'),
    action('3', 'z', '2026-11-19T11:00:00Z'),
  ]
  expect(attentionFrom([app('a', 'failed')], [], actions, now).map(({ key }) => key)).toEqual(['app a', 'action 2'])
})
