import { apps } from '@quayside/contract/apps/endpoints'
import { dashboards } from '@quayside/contract/dashboards/endpoints'
import type { DashboardScope } from '@quayside/contract/dashboards/rules'
import type { Action } from '@quayside/contract/deployments/endpoints'
import { isForDeployers } from '@quayside/contract/deployments/scopes-of-actions'
import { can, type Needs, type Standing } from '@quayside/contract/permissions/can'
import { type MyScopes, permissions } from '@quayside/contract/permissions/endpoints'
import { type RoleRef, roleIdOf } from '@quayside/contract/permissions/roles'
import type { Scope } from '@quayside/contract/permissions/scopes'
import {
  type Control,
  type ControlId,
  controls,
  type ScopeSource,
  type ScreenRoute,
  screens,
} from '@quayside/contract/permissions/screens'
import { useQuery } from '@tanstack/react-query'
import type { AccessToken } from '../../lib/access-token.ts'
import type { Api } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import type { Right } from '../../ui/actions/explain.ts'
import { call } from '../client.ts'
import { spacesKey } from '../spaces.ts'
import type { Place, Question } from './why.tsx'

type Token = Pick<AccessToken, 'resourceAccess'>

/** The person's roles and scopes, in the form that `can` of contract/src/permissions/can.ts takes. */
export function standingOf({ resourceAccess }: Token, mine?: MyScopes): Standing {
  const roles = Object.entries(resourceAccess).flatMap(([client, held]) => held.map(({ name }) => `${client}:${name}`))
  return { roles: new Set(roles), spaces: new Map((mine?.data ?? []).map(({ spaceId, scopes }) => [spaceId, scopes])) }
}

/** The check of roles, by the rule that the server decides calls by. */
export function holdsRole(token: Token, ref: RoleRef): boolean {
  return can({ anyRole: [ref] }, standingOf(token))
}

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

/**
 * `may('app.upgrade', app.spaceId)`: whether a control of the table in contract/src/permissions/screens.ts is the
 * person's to use, by the rule that the server decides calls by. Without a space: in at least one. Undefined until it is
 * known, so that nothing closes and opens again.
 */
export function useMay(): (control: ControlId, spaceId?: string | null) => boolean | undefined {
  const { standing, isKnown } = useStanding()
  return (control, spaceId) => {
    const needs: Needs = controls[control]
    if (can(needs, standing, spaceId ?? undefined)) return true
    return isKnown || needs.anyScope === undefined ? false : undefined
  }
}

/** Where a control is used: the thing that is asked about, and the space that it lies in. */
interface Where {
  place: Place
  id: string
  spaceId: string | null
}

/** The question that explains a control of the table, by what the table says that it needs. */
function whyClosed(needs: Control, purpose: string, where?: Where): Question {
  const [role] = needs.anyRole ?? []
  const [scope = 'space.view'] = needs.anyScope ?? []
  if (role !== undefined) return { ask: 'role', role: roleIdOf(role), purpose }
  return where === undefined
    ? { ask: 'somewhere', scope, purpose }
    : { ask: 'scope', scope, place: where.place, id: where.id, purpose }
}

/** `guard('app.upgrade', 'upgrade Podinfo', inApp(app))`: whether a control is open, and what explains that it is not. */
export function useGuard(): (control: ControlId, purpose: string, where?: Where) => Right {
  const may = useMay()
  return (control, purpose, where) => ({
    allowed: may(control, where?.spaceId),
    why: whyClosed(controls[control], purpose, where),
  })
}

/** The controls of a page that a role of the tenant opens, hidden tabs and toggles among them. */
export function tenantControlsOn(page: string): ControlId[] {
  return (Object.keys(controls) as ControlId[]).filter((id) => {
    const { on }: { on: readonly string[] } = controls[id]
    return 'anyRole' in controls[id] && on.includes(page)
  })
}

export const inSpace = (id: string): Where => ({ place: 'space', id, spaceId: id })
export const inApp = ({ id, spaceId }: { id: string; spaceId: string }): Where => ({ place: 'app', id, spaceId })
export const ofAction = ({ id, spaceId }: { id: string; spaceId: string | null }): Where => ({
  ...{ place: 'action', id, spaceId },
})

/** The control that cancels or retries an action; what those may take back who only deploy has one of its own. */
export function actionControl(command: 'cancel' | 'retry', action: Pick<Action, 'kind' | 'releaseName'>): ControlId {
  if (command === 'retry' && isForDeployers(action) && action.kind === 'Delete') return 'app.delete-assigned'
  return isForDeployers(action) ? `action.${command}-deployment` : `action.${command}`
}

/** Tells whether the person may open a page of the table, which its links, figures and lists on other pages follow. */
export function useOpens(): (route: ScreenRoute) => boolean {
  const { me } = usePortal()
  return (route) => {
    const { expectedRoles } = screens.find((screen) => screen.route === route) ?? {}
    return expectedRoles === undefined || expectedRoles.some((ref) => holdsRole(me(), ref))
  }
}

/** A route's demand: any of the scopes in the space of the app, in the space, or in that of the dashboard. */
export interface ScopeRequirement {
  anyOf: readonly (Scope | DashboardScope)[]
  source: ScopeSource
  /** The id of the app, the space or the dashboard. */
  id: string
}

/**
 * The check of scopes. Scopes that cannot be fetched are none. Whoever holds what is asked for in every space is
 * not asked about this one: the page says what does not exist.
 */
export async function meetsScopes(api: Api, token: Token, demand: ScopeRequirement): Promise<boolean> {
  const { anyOf, source, id } = demand
  if (source === 'DASHBOARD') return meetsInDashboard(api, demand)
  const needs: Needs = { anyScope: anyOf as readonly Scope[] }
  if (can(needs, { ...standingOf(token), spaces: new Map() })) return true
  try {
    const [mine, spaceId] = await Promise.all([call(api, permissions.myScopes), spaceOf(api, source, id)])
    return can(needs, standingOf(token, mine), spaceId)
  } catch {
    return false
  }
}

/** The permission list of a dashboard decides about it alone; no space does. */
async function meetsInDashboard(api: Api, { anyOf, id }: ScopeRequirement): Promise<boolean> {
  try {
    const { scopes } = await call(api, dashboards.getDashboard, { params: { id } })
    return anyOf.some((scope) => scopes.some((held) => held === scope))
  } catch {
    return false
  }
}

/** The space whose scopes decide. */
async function spaceOf(api: Api, source: 'APP' | 'SPACE', id: string): Promise<string> {
  return source === 'SPACE' ? id : (await call(api, apps.getApp, { params: { id } })).spaceId
}
