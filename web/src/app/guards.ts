import type { Screen } from '@quayside/contract/policies/screens'
import type { App, Space } from '@quayside/contract/portal-api'
import type { Scope } from '@quayside/contract/scopes'
import { redirect } from '@tanstack/react-router'
import { meetsRoles, type RoleRequirement } from '../lib/abilities.ts'
import { isExpired } from '../lib/access-token.ts'
import type { Portal } from '../lib/portal.tsx'
import { scopesOfToken } from '../lib/use-scopes.ts'
import type { Question } from '../lib/why.tsx'

/** Why a page did not open, kept beside the address of the page that says so. */
export interface Refusal {
  question: Extract<Question, { ask: 'scope' | 'role' }>
  /** The address that was wanted, below the base. */
  from: string
}

declare module '@tanstack/history' {
  interface HistoryState {
    refused?: Refusal
  }
}

/** What a route asks for before it opens. */
export interface Demand {
  roles?: RoleRequirement
  /** The section whose role is demanded, for who asks why. */
  section?: NonNullable<Screen['expectedRoles']>[number]['section']
  scope?: Scope
  /** Where the scope is asked for. */
  place?: 'space' | 'app'
  id?: string
}

/** One check before a route opens: why not, `gone` when the person leaves for the sign-in page, or undefined to go on. */
export type Guard = (
  portal: Portal,
  demand: Demand,
) => Refusal['question'] | 'gone' | undefined | Promise<Refusal['question'] | 'gone' | undefined>

/** A valid main token; without one a forced refresh is tried before the person has to sign in again. */
export const signedIn: Guard = async ({ session }) => {
  const token = session.token()
  if (token !== undefined && !isExpired(token.accessToken, Date.now())) return undefined
  if (await session.tokens.refresh()) return undefined
  await session.signInAgain()
  return 'gone'
}

/** The role check of section 6. */
export const holdsRoles: Guard = ({ me, config }, { roles, section }) =>
  meetsRoles(me(), roles, config.oidc.clientId)
    ? undefined
    : { ask: 'role', role: `${section ?? 'apps'}:access`, deed: 'open this page' }

/** The scope check of section 6: any scope of the space, or of the app's space. Who holds it everywhere is let in at once. */
export const holdsScopes: Guard = async ({ me, api }, { scope, place, id }) => {
  if (scope === undefined || place === undefined || id === undefined) return undefined
  if (scopesOfToken(me()).has(scope)) return undefined
  const refused = { ask: 'scope', scope, place, id, deed: `open this ${place}` } as const
  try {
    const at = encodeURIComponent(id)
    const spaceId = place === 'space' ? at : (await api.get<App>(`/portal-api/v2/apps/${at}`)).spaceId
    const { scopes } = await api.get<Space>(`/portal-api/v3/spaces/${spaceId}`)
    return scopes.includes(scope) ? undefined : refused
  } catch {
    // What cannot be found out is closed as well: the page there says whether it was refused or could not be asked.
    return refused
  }
}

/** Runs the checks one after another; the first that says no decides. */
export async function runGuards(guards: readonly Guard[], portal: Portal, demand: Demand, from: string) {
  for (const guard of guards) {
    const question = await guard(portal, demand)
    if (question === undefined) continue
    throw redirect({ to: '/unauthorized', ...(question === 'gone' ? {} : { state: { refused: { question, from } } }) })
  }
}
