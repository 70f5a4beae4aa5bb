import type { Policy } from '@quayside/contract/http/policy'
import { type Scope, scopes } from '@quayside/contract/permissions/scopes'
import type { FastifyRequest } from 'fastify'
import { Failure } from '../http/errors.ts'
import type { Actor } from './actor.ts'
import { type CallInput, idsIn } from './authorise.ts'
import type { Rights } from './rights.ts'

/** Carries the permission token of a call that is made again, as `Bearer …`. */
const partyHeader = 'x-qc-rpt'

/** Scopes in spaces that the identity server has granted for one call, by the id of the space. */
export type PartyScopes = ReadonlyMap<string, ReadonlySet<Scope>>

/**
 * User-managed access: whoever is refused for a scope in a space gets a ticket, trades it at the identity server for a
 * permission token, and makes the call once more with that.
 */
export interface Party {
  /** Undefined when the refusal is final: for this caller, this space, or this identity server. */
  ticketFor(actor: Actor, spaceId: string, scope: Scope): Promise<string | undefined>
  /** The scopes that a permission token adds for its owner; throws when it belongs to somebody else or is too old. */
  scopesOf(actor: Actor, token: string): Promise<PartyScopes>
}

/** Permissions by the id of the space; the identity server may know it as the id or as the name of a resource. */
export function partyScopes(
  permissions: readonly { rsid?: string; rsname?: string; scopes?: readonly string[] }[],
): PartyScopes {
  const found = new Map<string, ReadonlySet<Scope>>()
  for (const { rsid, rsname, scopes: granted = [] } of permissions)
    for (const id of new Set([rsid, rsname]))
      if (id) found.set(id, new Set([...(found.get(id) ?? []), ...scopes.filter((scope) => granted.includes(scope))]))
  return found
}

export const noParty: Party = { ticketFor: async () => undefined, scopesOf: async () => new Map() }

/** The refusal of a call that may be made again with a permission. It is answered 401 with the body of the refusal. */
export class Ticketed extends Error {
  override name = 'Ticketed'
  readonly refusal: Failure
  readonly ticket: string

  constructor(refusal: Failure, ticket: string) {
    super(refusal.message, { cause: refusal })
    this.refusal = refusal
    this.ticket = ticket
  }
}

const partyTokenOf = (request: Pick<FastifyRequest, 'headers'>) =>
  /^Bearer (\S+)$/i.exec(String(request.headers[partyHeader] ?? ''))?.[1]

/** The caller with what a permission token of theirs adds to this call. */
export async function withParty(party: Party, request: FastifyRequest): Promise<Actor | null> {
  const token = partyTokenOf(request)
  if (!request.actor || token === undefined) return request.actor
  return { ...request.actor, partyScopes: await party.scopesOf(request.actor, token) }
}

interface Refused {
  party: Party
  rights: Rights
  policy: Policy
  actor: Actor
  asked: CallInput
  request: FastifyRequest
}

/**
 * The error for a call that is refused for a missing scope: the same error with a ticket, where one can be had. A thing
 * that the caller cannot see gets no ticket, because that would tell that it exists; nor does a call that has brought a
 * permission already.
 */
export async function offerTicket(error: unknown, refused: Refused): Promise<unknown> {
  const { party, rights, policy, actor, asked, request } = refused
  const scope = missingScope(error)
  if (policy.kind !== 'scope' || scope === undefined || partyTokenOf(request) !== undefined) return error
  const [id, ...more] = idsIn(asked, policy.id)
  if (id === undefined || more.length > 0) return error
  const spaceId = (await rights.find(actor, policy.place, id))?.spaceId
  const ticket = spaceId ? await party.ticketFor(actor, spaceId, scope) : undefined
  return ticket === undefined ? error : new Ticketed(error as Failure, ticket)
}

/** The scope whose absence an error tells of; of several that would do, the first. */
function missingScope(error: unknown): Scope | undefined {
  if (!(error instanceof Failure) || error.code !== 'auth.forbidden') return undefined
  const needs = error.details?.needs
  return Array.isArray(needs) ? needs.find((need) => typeof need?.scope === 'string')?.scope : undefined
}
