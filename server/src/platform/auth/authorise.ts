import { placeRules } from '@quayside/contract/capabilities'
import type { IdIn, Policy } from '@quayside/contract/http/policy'
import { meets } from '@quayside/contract/permissions/can'
import type { Scope } from '@quayside/contract/permissions/scopes'
import { fail } from '../http/errors.ts'
import type { Actor } from './actor.ts'
import { holdsAny } from './policy.ts'
import { type Access, forbidden, type Rights } from './rights.ts'

/** The parts of a call in which an id can stand. */
export interface CallInput {
  params: unknown
  query: unknown
  body: unknown
}

const none: ReadonlySet<Scope> = new Set()

/** Decides whether a caller may make a call, and works out what it may touch. Throws what the caller is told. */
export async function authorise(rights: Rights, policy: Policy, actor: Actor, asked: CallInput): Promise<Access> {
  const everywhere = rights.everywhere(actor)
  const may = (anyScope: readonly Scope[], scopes: ReadonlySet<Scope>) =>
    meets({ anyScope }, { roles: actor.resourceRoles, scopes })
  const opensAll = policy.kind === 'filtered' && policy.orRole !== undefined && holdsAny(actor, policy.orRole)
  const access = (scopes: ReadonlySet<Scope>, byId?: ReadonlyMap<string, ReadonlySet<Scope>>): Access => ({
    scopes,
    at: (id) => (byId ? (byId.get(id) ?? none) : scopes),
    spacesWith: (scope) => (opensAll && scope === policy.scope ? undefined : rights.condition(actor, scope)),
  })
  if (policy.kind === 'role' && !holdsAny(actor, policy.anyOf)) throw forbidden(policy.anyOf)
  if (policy.kind === 'somewhere') await mustHoldSomewhere(rights, actor, policy)
  if (policy.kind !== 'scope') return access(everywhere)

  const ids = idsIn(asked, policy.id)
  const field = policy.id.startsWith('body.') ? policy.id.slice('body.'.length) : undefined
  if (ids.length === 0 && policy.orElse === 'somewhere') {
    await mustHoldSomewhere(rights, actor, { anyOf: policy.anyOf, orRole: policy.orRole ?? [] })
    return access(everywhere)
  }
  if (ids.length === 0) {
    if (policy.orElse === undefined) throw fail('request.invalid', { field, message: `${policy.id}: is missing` })
    if (!may(policy.anyOf, everywhere)) throw forbidden(policy.anyOf.map((scope) => ({ scope })))
    return access(everywhere)
  }
  if (policy.orRole && holdsAny(actor, policy.orRole)) return access(everywhere)
  const found = await rights.at(actor, policy.place, ids)
  for (const id of ids) {
    const scopes = found.get(id)
    if (!scopes) throw fail(placeRules[policy.place].unknown, { field })
    if (!may(policy.anyOf, scopes))
      throw forbidden(
        policy.anyOf.map((scope) => ({ scope })),
        field,
      )
  }
  return access(found.get(ids[0] ?? '') ?? none, found)
}

async function mustHoldSomewhere(
  rights: Rights,
  actor: Actor,
  { anyOf, orRole }: Pick<Extract<Policy, { kind: 'somewhere' }>, 'anyOf' | 'orRole'>,
): Promise<void> {
  if (holdsAny(actor, orRole) || (await rights.isSomewhere(actor, anyOf))) return
  throw forbidden([...orRole, ...anyOf.map((scope) => ({ scope }))])
}

/** The ids at a place of a call, such as `params.id`, `body.app.id` or `body.places[].spaceId`; none when it is left out. */
export function idsIn(asked: CallInput, where: IdIn): string[] {
  let found: unknown[] = [asked]
  for (const part of where.split('.')) {
    const name = part.replace(/\[\]$/, '')
    found = found.map((each) =>
      typeof each === 'object' && each !== null ? (each as Record<string, unknown>)[name] : undefined,
    )
    if (part.endsWith('[]')) found = found.flatMap((each) => (Array.isArray(each) ? each : []))
  }
  return [...new Set(found.filter((id): id is string => typeof id === 'string' && id !== ''))]
}
