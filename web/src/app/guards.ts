import { redirect } from '@tanstack/react-router'
import { meetsRoles, type RoleRequirement } from '../lib/abilities.ts'
import { isExpired } from '../lib/access-token.ts'
import type { Portal } from '../lib/portal.tsx'
import { meetsScopes, type ScopeRequirement } from '../lib/scope-check.ts'

/** One check before a route opens: where to go instead, or undefined to go on. */
export type Guard = (
  portal: Portal,
  required: RoleRequirement | undefined,
) => string | undefined | Promise<string | undefined>

/** A valid main token; without one a forced refresh is tried before the person has to sign in again. */
export const signedIn: Guard = async ({ session }) => {
  const token = session.token()
  if (token !== undefined && !isExpired(token.accessToken, Date.now())) return undefined
  if (await session.tokens.refresh()) return undefined
  await session.signInAgain()
  return '/unauthorized'
}

/** The role check of section 6. */
export const holdsRoles: Guard = ({ me, config }, required) =>
  meetsRoles(me(), required, config.oidc.clientId) ? undefined : '/unauthorized'

/** The scope check of section 6, which comes last: it may have to ask. */
export const holdsScopes =
  (wanted: ScopeRequirement): Guard =>
  async ({ api, me }) =>
    (await meetsScopes(api, me(), wanted)) ? undefined : '/unauthorized'

/** Runs the checks one after another; the first that says no decides. */
export async function runGuards(guards: readonly Guard[], portal: Portal, required: RoleRequirement | undefined) {
  for (const guard of guards) {
    const instead = await guard(portal, required)
    if (instead !== undefined) throw redirect({ to: instead })
  }
}
