import { apps } from '@quayside/contract/apps/endpoints'
import type { Action } from '@quayside/contract/deployments/endpoints'
import { isForDeployers } from '@quayside/contract/deployments/who-works-on'
import { can, type Needs, type Standing } from '@quayside/contract/permissions/can'
import { type MyScopes, permissions } from '@quayside/contract/permissions/endpoints'
import type { Scope } from '@quayside/contract/permissions/scopes'
import { type ControlId, controls, type ScopeSource } from '@quayside/contract/permissions/screens'
import { useQuery } from '@tanstack/react-query'
import type { AccessToken } from '../../lib/access-token.ts'
import type { Api } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'
import { spacesKey } from '../spaces.ts'

type Token = Pick<AccessToken, 'resourceAccess'>

/** The person's roles and scopes, in the form that `can` of contract/src/permissions/can.ts takes. */
export function standingOf({ resourceAccess }: Token, mine?: MyScopes): Standing {
  const roles = Object.entries(resourceAccess).flatMap(([client, held]) => held.map(({ name }) => `${client}:${name}`))
  return { roles: new Set(roles), spaces: new Map((mine?.data ?? []).map(({ spaceId, scopes }) => [spaceId, scopes])) }
}

/** A button, toggle or tab of the table in contract/src/permissions/screens.ts, or what something needs. */
type Ability = ControlId | Needs
type Can = (ability: Ability, spaceId?: string | null) => boolean

/** The person's roles and scopes; until the scopes of each space are loaded, only those that apply to every space. */
function useStanding(): { standing: Standing; isKnown: boolean } {
  const { api, me } = usePortal()
  const { data, isPending } = useQuery({
    // Read again with whatever else is about spaces, which the server tells of when somebody's rights have changed.
    queryKey: [...spacesKey, 'scopes of mine'],
    queryFn: ({ signal }) => call(api, permissions.myScopes, { signal }),
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

/**
 * The same for a control that stands there closed: undefined while it is not known, so that nothing closes and opens.
 */
export function useHolds(): (ability: Ability, spaceId?: string | null) => boolean | undefined {
  const { standing, isKnown } = useStanding()
  return (ability, spaceId) => can(needsOf(ability), standing, spaceId ?? undefined) || (isKnown ? false : undefined)
}

/** Tells whether an action is for this person to start, try again and take back in a space; without one, anywhere. */
export function useMayWorkOn(): (action: Pick<Action, 'kind' | 'releaseName'>, spaceId?: string | null) => boolean {
  const may = useCan()
  return (action, spaceId) =>
    may({ anyScope: isForDeployers(action) ? ['app.manage', 'space.deploy'] : ['app.manage'] }, spaceId)
}

/** A route's demand: any of the scopes in the space of the app, in the space, or in that of the dashboard. */
export interface ScopeRequirement {
  anyOf: readonly Scope[]
  source: ScopeSource
  /** The id of the app, the space or the dashboard. */
  id: string
}

/**
 * The scope check of section 6. Scopes that cannot be fetched are none. Whoever holds what is asked for in every space is
 * not asked about this one: the page says what does not exist.
 */
export async function meetsScopes(api: Api, token: Token, { anyOf, source, id }: ScopeRequirement): Promise<boolean> {
  const needs: Needs = { anyScope: anyOf }
  if (can(needs, { ...standingOf(token), spaces: new Map() })) return true
  try {
    const [mine, spaceId] = await Promise.all([call(api, permissions.myScopes), spaceOf(api, source, id)])
    return spaceId !== undefined && can(needs, standingOf(token, mine), spaceId)
  } catch {
    return false
  }
}

/** The space whose scopes decide; this version has no dashboards, and so no space of one. */
async function spaceOf(api: Api, source: ScopeSource, id: string): Promise<string | undefined> {
  if (source === 'SPACE') return id
  if (source === 'DASHBOARD') return undefined
  return (await call(api, apps.getApp, { params: { id } })).spaceId
}
