import { can, type Needs, type Standing } from '@quayside/contract/can'
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

/** What the person holds; until it is known what the lists of spaces give, it is what reaches every space. */
export function useStanding(): { standing: Standing; isKnown: boolean } {
  const { api, me } = usePortal()
  const { data, isPending } = useQuery({
    queryKey: mineKey,
    queryFn: ({ signal }) => api.get<MyScopes>(myScopesPath, { signal }),
    staleTime: 10_000,
  })
  return { standing: standingOf(me(), data), isKnown: !isPending }
}

const needsOf = (ability: Ability): Needs => (typeof ability === 'string' ? controls[ability] : ability)

/**
 * `can('app.upgrade', app.spaceId)`: whether the person may, by the rule that the server decides calls by. Without a
 * space: in at least one. Until it is known what the lists of spaces give, it is what reaches every space.
 */
export function useCan(): Can {
  const { standing } = useStanding()
  return (ability, spaceId) => can(needsOf(ability), standing, spaceId ?? undefined)
}

/** The same for a control that stands there closed: undefined while it is not known, so that nothing closes and opens. */
export function useHolds(): (ability: Ability, spaceId?: string | null) => boolean | undefined {
  const { standing, isKnown } = useStanding()
  return (ability, spaceId) => can(needsOf(ability), standing, spaceId ?? undefined) || (isKnown ? false : undefined)
}
