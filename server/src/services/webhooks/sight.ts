import type { Actor } from '../../platform/auth/actor.ts'
import type { Rights } from '../../platform/auth/rights.ts'
import { fail } from '../../platform/http/errors.ts'

interface Pointing {
  url: string
  spaceIds: readonly string[] | null
}

/** Nobody has the portal tell an address of apps that they do not see themselves. */
export function createSight(rights: Pick<Rights, 'condition' | 'at'>) {
  return async (actor: Actor, wanted: Pointing, before: Pointing | undefined): Promise<void> => {
    const isNew = (id: string) => before === undefined || (before.spaceIds !== null && !before.spaceIds.includes(id))
    const isAsBefore = before !== undefined && before.url === wanted.url
    if (rights.condition(actor, 'app.view') === undefined) return
    if (wanted.spaceIds === null) {
      if (isAsBefore && before.spaceIds === null) return
      throw fail('webhook.unseen-spaces', { field: 'spaceIds' })
    }
    const told = isAsBefore ? wanted.spaceIds.filter(isNew) : wanted.spaceIds
    const seen = await rights.at(actor, 'space', told)
    if (told.some((id) => !seen.get(id)?.has('app.view'))) throw fail('webhook.unseen-spaces', { field: 'spaceIds' })
  }
}
