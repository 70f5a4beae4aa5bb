import type { Scope } from '@quayside/contract/permissions/scopes'
import type { WebhookEvent } from '@quayside/contract/webhooks/rules'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Rights } from '../../platform/auth/rights.ts'
import { fail } from '../../platform/http/errors.ts'

interface Pointing {
  url: string
  spaceIds: readonly string[] | null
  events: readonly WebhookEvent[]
  enabled: boolean
}

export interface SightPorts {
  rights: Pick<Rights, 'condition' | 'at'>
  /** Tells whether somebody holds a scope without an end; null: in every space. */
  holdsForGood(actor: Actor, spaceIds: readonly string[] | null, scope: Scope): Promise<boolean>
}

/**
 * Nobody has the portal tell an address of apps that they do not see themselves, and for good: a webhook stays. What a
 * permission token adds to one call does not count.
 */
export function createSight({ rights, holdsForGood }: SightPorts) {
  return async ({ partyScopes: _, ...actor }: Actor, wanted: Pointing, before: Pointing | undefined): Promise<void> => {
    const told = toldAnew(wanted, before)
    if (told?.length === 0) return
    if (rights.condition(actor, 'app.view') !== undefined) {
      if (told === null) throw fail('webhook.unseen-spaces', { field: 'spaceIds' })
      const seen = await rights.at(actor, 'space', told)
      if (told.some((id) => !seen.get(id)?.has('app.view'))) throw fail('webhook.unseen-spaces', { field: 'spaceIds' })
    }
    if (await holdsForGood(actor, told, 'app.view')) return
    const message = 'You see these apps for a while only, and a webhook would tell of them for good.'
    throw fail('auth.escalation', { field: 'spaceIds', message })
  }
}

/** Spaces of which an address is told that was not told of them before; null: all. */
function toldAnew({ spaceIds, ...wanted }: Pointing, before: Pointing | undefined): readonly string[] | null {
  if (before === undefined || before.url !== wanted.url) return spaceIds
  const isSwitchedOn = wanted.enabled && !before.enabled
  if (isSwitchedOn || wanted.events.some((event) => !before.events.includes(event))) return spaceIds
  if (before.spaceIds === null) return []
  return spaceIds === null ? null : spaceIds.filter((id) => !before.spaceIds?.includes(id))
}
