import { role } from '@quayside/contract/http/policy'
import type {
  personalTokens as endpoints,
  PersonalToken,
  PersonalTokenSettings,
} from '@quayside/contract/personal-tokens/endpoints'
import type { z } from 'zod'
import { signInClients } from '../../adapters/keycloak/realm/portal-clients.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Auth } from '../../platform/auth/auth.ts'
import { digestOf, newTokenText } from '../../platform/auth/personal-tokens/token-text.ts'
import type { Rights } from '../../platform/auth/rights.ts'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { People } from '../permissions/index.ts'
import type { TokensInUse } from './in-use.ts'
import type { TokenStore } from './store.ts'
import type { TokenRow } from './tables.ts'

type Input = z.output<(typeof endpoints)['createToken']['body']>

interface TokenPorts {
  store: TokenStore
  inUse: Pick<TokensInUse, 'forget'>
  rights: Pick<Rights, 'at'>
  auth: Pick<Auth, 'actorNow'>
  people: People
  spaceName(tenantId: string, id: string): Promise<string | undefined>
  /** Throws when there is no such user in the realm. */
  mustBeUser(realm: string, id: string): Promise<unknown>
}

const atOnce = 6
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Tokens that people make for their scripts. Each has its owner's current permissions, or fewer. */
export function createPersonalTokens({ store, inUse, rights, auth, people, spaceName, mustBeUser }: TokenPorts) {
  /** Names of the spaces that the reader sees. */
  async function namesFor({ tenantId, ...reader }: Actor, rows: readonly TokenRow[]) {
    const ids = [...new Set(rows.flatMap(({ space_ids }) => space_ids ?? []))]
    const seen = ids.length === 0 ? new Map() : await rights.at({ tenantId, ...reader }, 'space', ids)
    const names = await mapLimit(atOnce, [...seen.keys()], async (id) => [id, await spaceName(tenantId, id)] as const)
    return new Map(names)
  }

  async function listOf(actor: Actor, userId: string): Promise<PersonalToken[]> {
    const rows = await store.list(actor.tenantId, userId)
    const names = await namesFor(actor, rows)
    return rows.map((row) => toToken(row, names))
  }

  async function remove(tenantId: string, userId: string, id: string): Promise<void> {
    const digest = await store.remove(tenantId, userId, id)
    if (digest === undefined) throw fail('personal-token.not-found')
    inUse.forget(digest)
  }

  return {
    async list(actor: Actor) {
      return { data: await listOf(actor, actor.userId), settings: await store.settings(actor.tenantId) }
    },

    async create(
      caller: Actor,
      { name, days, readOnly, spaceIds }: Input,
    ): Promise<PersonalToken & { secret: string }> {
      // A token outlives the session: it is made by whoever is still there, with what they hold now.
      const actor = await auth.actorNow(caller.token)
      // A service account must not make a token that outlives its secret, nor a narrow client one with all roles of its user.
      if (actor.personalToken || !signInClients.has(actor.clientId)) throw fail('personal-token.people-only')
      const { enabled, longestDays } = await store.settings(actor.tenantId)
      if (!enabled) throw fail('personal-token.off')
      if (days > longestDays)
        throw fail('request.invalid', { field: 'days', message: `days: at most ${longestDays} in this tenant` })
      const chosen = spaceIds && [...new Set(spaceIds)]
      const seen = chosen && (await rights.at(actor, 'space', chosen))
      if (seen && chosen?.some((id) => !seen.has(id))) throw fail('space.not-found', { field: 'spaceIds' })
      const secret = newTokenText()
      const token = { user_id: actor.userId, name, digest: digestOf(secret), read_only: readOnly, space_ids: chosen }
      const row = await store.add(actor.tenantId, { ...token, days })
      if (!row) throw fail('personal-token.too-many')
      return { ...toToken(row, await namesFor(actor, [row])), secret }
    },

    expiring: createExpiring(store),

    remove: ({ tenantId, userId }: Actor, id: string) => remove(tenantId, userId, id),

    async listFor(actor: Actor, userId: string) {
      await mustBeUser(actor.realm, userId)
      return { data: await listOf(actor, userId) }
    },

    /** Only those of somebody who holds no more than the caller: deleting a token stops its owner's scripts. */
    async removeFor(actor: Actor, userId: string, id: string): Promise<void> {
      const right = role('iam-users', 'users.credentials.manage')
      await people.change(actor, { right, kind: 'takes', about: userId }, async (judged) => {
        await judged.mustNotBeBelow(userId)
        await remove(actor.tenantId, userId, id)
      })
    },

    settings: ({ tenantId }: Actor) => store.settings(tenantId),

    async setSettings({ tenantId }: Actor, wanted: PersonalTokenSettings): Promise<PersonalTokenSettings> {
      await store.setSettings(tenantId, wanted)
      inUse.forget()
      return wanted
    },

    start(jobs: Pick<Jobs, 'every'>): void {
      jobs.every(hourMs, async () => void (await store.forgetExpired()))
    },
  }
}
export type PersonalTokenService = ReturnType<typeof createPersonalTokens>

function createExpiring(store: Pick<TokenStore, 'list' | 'settings'>) {
  /** The caller's own tokens that end within these days, and were made to live longer than that. */
  return async ({ tenantId, userId }: Actor, days: number): Promise<{ id: string; name: string; end: Date }[]> => {
    const [rows, { enabled }] = await Promise.all([store.list(tenantId, userId), store.settings(tenantId)])
    const isSoon = ({ expires_at: end, created_at }: TokenRow) =>
      end.getTime() > Date.now() && end.getTime() - Date.now() < days * dayMs && +end - +created_at > days * dayMs
    return enabled ? rows.filter(isSoon).map(({ id, name, expires_at: end }) => ({ id, name, end })) : []
  }
}

function toToken(row: TokenRow, names: ReadonlyMap<string, string | undefined>): PersonalToken {
  return {
    ...{ id: row.id, name: row.name, readOnly: row.read_only },
    spaces: row.space_ids?.map((id) => ({ id, name: names.get(id) ?? null })) ?? null,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }
}
