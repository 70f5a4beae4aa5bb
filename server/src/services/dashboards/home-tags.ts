import { homeTags } from '@quayside/contract/dashboards/rules'
import { type Actor, holds } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'

/** A dashboard with one of these tags is the Home of people who have chosen none: who sets or spreads it holds a role. */
export function mustGiveHome(actor: Actor, tags: readonly string[], before: readonly string[] = []): void {
  const changes = homeTags.filter((tag) => tags.includes(tag) !== before.includes(tag))
  if (changes.length === 0 || holds(actor, 'apps', 'apps.create')) return
  throw fail('auth.forbidden', {
    field: 'tags',
    message: `tags: ${changes[0]} decides about the Home of others, which takes the role apps.create`,
    details: { needs: [{ section: 'apps', role: 'apps.create' }] },
  })
}
