import { can, type Needs } from '@quayside/contract/can'
import type { MyScopes } from '@quayside/contract/permissions'
import { type ControlId, controls } from '@quayside/contract/policies/screens'
import { useQuery } from '@tanstack/react-query'
import { standingOf } from './abilities.ts'
import { usePortal } from './portal.tsx'
import { myScopesPath } from './scope-check.ts'

/** A button, toggle or tab of the table in contract/src/policies/screens.ts, or what something needs. */
export type Ability = ControlId | Needs
export type Can = (ability: Ability, spaceId?: string | null) => boolean

/** Read again with whatever else is about spaces, which the server tells of when somebody's rights have changed. */
const mineKey = ['spaces', 'scopes of mine']

/**
 * `can('app.upgrade', app.spaceId)`: whether the person may, by the rule that the server decides calls by. Without a
 * space: in at least one. Until it is known what the lists of spaces give, it is what reaches every space.
 */
export function useCan(): Can {
  const { api, me } = usePortal()
  const { data } = useQuery({
    queryKey: mineKey,
    queryFn: ({ signal }) => api.get<MyScopes>(myScopesPath, { signal }),
    staleTime: 10_000,
  })
  const standing = standingOf(me(), data)
  return (ability, spaceId) =>
    can(typeof ability === 'string' ? controls[ability] : ability, standing, spaceId ?? undefined)
}
