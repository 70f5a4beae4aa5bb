import { role } from '@quayside/contract/http/policy'
import type { Section } from '@quayside/contract/permissions/roles'
import type { Scope } from '@quayside/contract/permissions/scopes'
import { redirect } from '@tanstack/react-router'
import { holdsRole, meetsScopes, type ScopeRequirement } from '../api/permissions/my-scopes.ts'
import type { Question } from '../api/permissions/why.tsx'
import { isExpired } from '../lib/access-token.ts'
import type { Portal } from '../lib/portal.tsx'

/** Why a page did not open, kept beside the address of the page that says so. */
interface Refusal {
  /** Undefined where a permission list of the thing itself decides, which nobody sees who is not on it. */
  question: Extract<Question, { ask: 'scope' | 'role' }> | undefined
  /** The address that was wanted, below the base. */
  from: string
}

declare module '@tanstack/history' {
  interface HistoryState {
    refused?: Refusal
  }
}

/** The roles and scopes that a route requires. */
interface Demand {
  /** The section on whose client the role 'access' is needed; undefined where everybody may go. */
  section: Section | undefined
  scopes: ScopeRequirement | undefined
}

/** Why not; 'gone' when the person leaves for the sign-in page, 'not shared' by a list of its own; undefined to go on. */
type Verdict = Refusal['question'] | 'gone' | 'not shared'

/** One check before a route opens. */
type Guard = (portal: Portal, demand: Demand) => Verdict | Promise<Verdict>

/** A valid main token; without one a forced refresh is tried before the person has to sign in again. */
const signedIn: Guard = async ({ session }) => {
  const token = session.token()
  if (token !== undefined && !isExpired(token.accessToken, Date.now())) return undefined
  if (await session.tokens.refresh()) return undefined
  await session.signInAgain()
  return 'gone'
}

/** The check of the role that a page asks for. */
const holdsRoles: Guard = ({ me }, { section }) =>
  section === undefined || holdsRole(me(), role(section, 'access'))
    ? undefined
    : { ask: 'role', role: `${section}:access`, purpose: 'open this page' }

/** The check of scopes, which comes last: it may have to ask. */
const holdsScopes: Guard = async ({ api, me }, { scopes }) => {
  if (scopes === undefined || (await meetsScopes(api, me(), scopes))) return undefined
  if (scopes.source === 'DASHBOARD') return 'not shared'
  const [scope = 'space.view'] = scopes.anyOf as readonly Scope[]
  const place = scopes.source === 'APP' ? 'app' : 'space'
  return { ask: 'scope', scope, place, id: scopes.id, purpose: `open this ${place}` }
}

/** The checks of a route: a sign-in, then the role of its section, then scopes, for which the server may be asked. */
export const guardsInOrder: readonly Guard[] = [signedIn, holdsRoles, holdsScopes]

/** Runs the checks one after another; the first that says no decides. */
export async function runGuards(guards: readonly Guard[], portal: Portal, demand: Demand, from: string) {
  for (const guard of guards) {
    const verdict = await guard(portal, demand)
    if (verdict === undefined) continue
    const refused = { question: verdict === 'not shared' || verdict === 'gone' ? undefined : verdict, from }
    throw redirect({ to: '/unauthorized', ...(verdict === 'gone' ? {} : { state: { refused } }) })
  }
}
