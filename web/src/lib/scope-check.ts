import { can, type Needs } from '@quayside/contract/can'
import type { MyScopes } from '@quayside/contract/permissions'
import type { ScopeSource } from '@quayside/contract/policies/screens'
import type { App } from '@quayside/contract/portal-api'
import type { Scope } from '@quayside/contract/scopes'
import { standingOf } from './abilities.ts'
import type { AccessToken } from './access-token.ts'
import type { Api } from './api/api.ts'

export const myScopesPath = '/portal-api/v3/scopes/mine'

/** A route's demand: any of the scopes in the space of the app, in the space, or in that of the dashboard. */
export interface ScopeRequirement {
  anyOf: readonly Scope[]
  source: ScopeSource
  /** Of the app, the space or the dashboard. */
  id: string
}

/**
 * The scope check of section 6. Scopes that cannot be fetched are none. Whoever holds what is asked for in every space is
 * not asked about this one: the page says what does not exist.
 */
export async function meetsScopes(
  api: Pick<Api, 'get'>,
  token: Pick<AccessToken, 'resourceAccess'>,
  { anyOf, source, id }: ScopeRequirement,
): Promise<boolean> {
  const needs: Needs = { anyScope: anyOf }
  if (can(needs, { ...standingOf(token), spaces: new Map() })) return true
  try {
    const [mine, spaceId] = await Promise.all([api.get<MyScopes>(myScopesPath), spaceOf(api, source, id)])
    return spaceId !== undefined && can(needs, standingOf(token, mine), spaceId)
  } catch {
    return false
  }
}

/** The space whose scopes decide; this version has no dashboards, and so no space of one. */
async function spaceOf(api: Pick<Api, 'get'>, source: ScopeSource, id: string): Promise<string | undefined> {
  if (source === 'SPACE') return id
  if (source === 'DASHBOARD') return undefined
  return (await api.get<App>(`/portal-api/v2/apps/${encodeURIComponent(id)}`)).spaceId
}
