import type { Action } from '@quayside/contract/deployments/endpoints'
import { expect } from 'vitest'
import { type Ledger, untilEnded } from '../fault-matrix/ledger.ts'
import type { Stage } from '../fault-matrix/stage.ts'
import type { Acknowledged } from './writers.ts'

const timeoutMs = 75_000

export type Assertions = ReturnType<typeof createAssertions>

/** Asks the ledger and the list of apps what became of writes and actions. */
export function createAssertions(ledger: Ledger) {
  const acknowledged: string[] = []

  return {
    /** Writes that were acknowledged and accounted for so far. */
    acknowledged,

    async untilFinal(id: string): Promise<Action> {
      const action = await untilEnded(() => ledger.find(id), timeoutMs)
      if (!action) throw new Error(`no final state in time: ${(await ledger.find(id))?.state ?? 'no such action'}`)
      return action
    },

    /** Every app that was ever acknowledged is there, with its action at its end. */
    async account(told: Acknowledged): Promise<void> {
      acknowledged.push(...told.acknowledged)
      const [apps, actions] = await Promise.all([ledger.apps(), ledger.ofKind('Assign')])
      const there = new Set(apps.map(({ id }) => id))
      const ended = new Set(actions.filter(({ running }) => !running).map(({ appId }) => appId))
      expect(acknowledged.filter((id) => !there.has(id) || !ended.has(id))).toEqual([])
    },
  }
}

/** One write through the public door: an app is assigned, which makes its record and an ended action. */
export async function assigning(stage: Stage) {
  const story = await stage.admin()
  const tenant = await story.good<{ id: string }>('/portal-api/v2/tenants/byrealm/demo')
  const [catalogChild] = stage.versions
  const { id: spaceId, clusters } = stage.space
  const body = { tenantId: tenant.id, spaceId, clusterId: clusters[0]?.id, catalogChild }
  return () => story.post<unknown>('Assign', body)
}
