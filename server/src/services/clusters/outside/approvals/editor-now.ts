import { role } from '@quayside/contract/http/policy'
import { roleName } from '@quayside/contract/permissions/roles'
import { type Actor, holds } from '../../../../platform/auth/actor.ts'
import { forbidden } from '../../../../platform/auth/rights.ts'
import { fail } from '../../../../platform/http/errors.ts'
import type { ClusterPorts } from '../../ports.ts'

const edits = role('clusters', 'clusters.edit')

/**
 * Asks the identity server about somebody who lets a chart have something outside of its space.
 * @returns until when they may edit clusters; undefined: until that is taken from them
 * @throws `auth.forbidden` for who may not any more
 */
export function editorNow({ grantorNow }: Pick<ClusterPorts, 'grantorNow'>) {
  return async (caller: Actor): Promise<Date | undefined> => {
    const { actor, ends } = await grantorNow(caller)
    if (!holds(actor, 'clusters', 'clusters.edit')) throw forbidden([edits])
    return ends.get(roleName(edits))
  }
}
export type EditorNow = ReturnType<typeof editorNow>

/** Refuses what would outlast the right of somebody who edits clusters for a while. */
export function mustEditForGood(until: Date | undefined, what: string): void {
  if (until === undefined) return
  const message = `You may edit clusters until ${until.toISOString()}, and ${what}`
  throw fail('auth.escalation', { message, details: { until: until.toISOString() } })
}
