import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, Id } from '../http/primitives.ts'

const endpoint = endpointsOf('iam')

/** How many people a call asks about at most. */
const mostLookedAt = 100

/** A person whom the identity server lets nobody sign in as, after too many wrong passwords. */
export const Lockout = z.object({
  userId: z.string(),
  /** When it ends by itself; null: when somebody ends it. */
  until: z.string().nullable(),
  failures: z.number(),
  /** Address of the last attempt; null when it is not known. */
  lastAddress: z.string().nullable(),
  lastFailureAt: z.string().nullable(),
})
export type Lockout = z.infer<typeof Lockout>

/** An address from which nobody signs in, after too many wrong passwords. */
export const LockedAddress = z.object({ address: z.string(), until: z.string(), failures: z.number() })
export type LockedAddress = z.infer<typeof LockedAddress>

/** Somebody has let a person or an address in again. */
export const Unlocking = z.object({
  id: z.string(),
  at: z.string(),
  by: z.string(),
  what: z.enum(['person', 'address']),
  /** The id of the person, or the address. */
  about: z.string(),
  /** User name of the person, or the address. */
  name: z.string(),
})
export type Unlocking = z.infer<typeof Unlocking>

const Address = z.union([z.ipv4(), z.ipv6()], { error: 'must be an address such as 203.0.113.7' })

/** People and addresses that are locked out after too many wrong passwords, and the way out. */
export const lockouts = {
  findLockouts: endpoint('POST', '/v3/users/lockouts', {
    summary: 'Those of these people who are locked out after too many wrong passwords',
    onlyReads: true,
    body: z.strictObject({ ids: z.array(Id).max(mostLookedAt) }),
    reply: z.object({ data: z.array(Lockout) }),
  }),
  unlockUser: endpoint('DELETE', '/v3/users/:id/lockout', {
    summary: 'Let a person sign in again',
    params: ById,
    status: 204,
  }),
  listLockedAddresses: endpoint('GET', '/v3/locked-addresses', {
    summary: 'Addresses that are locked out; none where the identity server does not lock any',
    reply: z.object({ data: z.array(LockedAddress) }),
  }),
  unlockAddress: endpoint('DELETE', '/v3/locked-addresses/:address', {
    summary: 'Let people sign in from an address again',
    params: z.object({ address: Address }),
    status: 204,
  }),
  listUnlockings: endpoint('GET', '/v3/unlockings', {
    summary: 'Who let whom in again, newest first',
    query: ListQuery,
    reply: listOf(Unlocking),
  }),
}
