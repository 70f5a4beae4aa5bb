import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../../../../platform/http/errors.ts'
import type { Logger } from '../../../../platform/logging/logger.ts'
import type { Store } from '../../store.ts'
import type { ApprovalStore } from '../approvals/approval-store.ts'
import type { RuleStore } from '../approvals/rule-store.ts'
import type { ActionRightsRow } from '../tables.ts'
import type { ActionRights } from './action-rights.ts'
import type { HeldStore } from './held-store.ts'
import { whyNotAnyMore } from './rests-on.ts'

interface WithdrawalDeps {
  clusters: Pick<Store, 'find'>
  rules: Pick<RuleStore, 'all'>
  approvals: Pick<ApprovalStore, 'ofApp'>
  held: Pick<HeldStore, 'allRights' | 'withdraw'>
  rights: Pick<ActionRights, 'takeOff'>
  /** Runs work on one replica at a time; on the others it does nothing. */
  alone(work: () => Promise<void>): Promise<void>
  log: Logger
}

/** With the calls to the cluster, rights that rest on nothing any more are gone within five seconds. */
export const withdrawEveryMs = 2000
/** For clusters that do not answer: the others must not wait for them. */
const mostWaitMs = 1000

/**
 * Takes back what running actions hold by an approval or an entry of a list that is gone, and by a cluster that was
 * closed to charts. The reason is written first: an action that is just being given its rights finds it afterwards. A
 * cluster that is away is asked again at each look, as long as the action has not ended.
 */
export function createWithdrawal({ clusters, rules, approvals, held, rights, alone, log }: WithdrawalDeps) {
  const underWay = new Map<string, Promise<void>>()

  function takeOff(row: ActionRightsRow): void {
    if (underWay.has(row.action_id)) return
    const done = rights
      .takeOff(row)
      .catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error
        log.warn({ err: error, actionId: row.action_id }, 'rights of a running action are not taken back yet')
      })
      .finally(() => underWay.delete(row.action_id))
    underWay.set(row.action_id, done)
  }

  async function lookAt(row: ActionRightsRow): Promise<void> {
    const { tenant_id: tenantId, cluster_id: clusterId, action_id: actionId, rests_on: restsOn } = row
    if (!restsOn) return
    if (row.withdrawn === null) {
      const [cluster, listed, asked] = await Promise.all([
        clusters.find(tenantId, clusterId),
        rules.all(tenantId, clusterId),
        approvals.ofApp(tenantId, restsOn.appId),
      ])
      const why = whyNotAnyMore(restsOn, {
        isOn: cluster?.cluster_scoped ?? false,
        rules: listed.map((rule) => ({ ...rule, group: rule.api_group })),
        item: restsOn.item,
        approvals: asked,
        now: new Date(),
      })
      if (why === undefined) return
      await held.withdraw(tenantId, actionId, why)
      log.info({ actionId, clusterId, why }, 'rights of a running action are taken back')
    }
    takeOff(row)
  }

  async function lookAtAll(): Promise<void> {
    for (const row of await held.allRights()) await lookAt(row)
    await Promise.race([Promise.all(underWay.values()), delay(mostWaitMs, undefined, { ref: false })])
  }

  return { look: () => alone(lookAtAll) }
}
