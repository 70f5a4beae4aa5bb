import { sql, type Transaction } from 'kysely'
import type { KnownToken, PersonalTokens } from '../../platform/auth/personal-tokens/personal-token.ts'
import { digestOf, isTokenText } from '../../platform/auth/personal-tokens/token-text.ts'
import { createRevalidatingCache } from '../../platform/auth/revalidating-cache.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Tables } from './tables.ts'

const [refreshMs, maxAgeMs, most] = [2000, 4000, 10_000]
const noteUseEveryMs = 60_000

export interface TokensInUse extends PersonalTokens {
  /** Looks anew at the token of a digest; without one at all of them, since a tenant has other settings. */
  forget(digest?: string): void
}

/** Personal tokens as calls bring them, of all tenants. A token that was deleted anywhere counts for four seconds more at most. */
export function createTokensInUse(db: Db, log: Pick<Logger, 'warn'>): TokensInUse {
  const notedAt = new Map<string, number>()
  const cache = createRevalidatingCache<KnownToken | undefined>({
    ...{ refreshMs, maxAgeMs, most },
    read: (digest) => find(db, digest),
  })

  return {
    find: async (secret) => (isTokenText(secret) ? cache.get(digestOf(secret)) : undefined),
    knows: (secret) => (cache.peek(digestOf(secret))?.expiresAt.getTime() ?? 0) > Date.now(),
    forget: (digest) => cache.forget((key) => digest === undefined || key === digest),
    noteUse({ id, tenant }) {
      const now = performance.now()
      if (now - (notedAt.get(id) ?? Number.NEGATIVE_INFINITY) < noteUseEveryMs) return
      if (notedAt.size >= most) notedAt.clear()
      notedAt.set(id, now)
      db.tenantOne<Tables, unknown>(tenant.id, (trx) =>
        trx.updateTable('personal_token').set({ last_used_at: sql<Date>`now()` }).where('id', '=', id).execute(),
      ).catch((error: unknown) => log.warn({ err: error, token: id }, 'the use of a token could not be noted'))
    },
  }
}

type AllTables = Tables & { tenants: { id: string; identifier: string; realm: string } }

async function find(db: Db, digest: string): Promise<KnownToken | undefined> {
  const row = await db.platformOne<AllTables, Awaited<ReturnType<typeof ofDigest>>>((trx) => ofDigest(trx, digest))
  if (!row) return undefined
  return {
    ...{ id: row.id, name: row.name, readOnly: row.read_only, userId: row.user_id, expiresAt: row.expires_at },
    spaceIds: row.space_ids === null ? undefined : new Set(row.space_ids),
    tenant: { id: row.tenant_id, identifier: row.identifier, realm: row.realm },
  }
}

const ofDigest = (trx: Transaction<AllTables>, digest: string) =>
  trx
    .selectFrom('personal_token')
    .innerJoin('tenants', 'tenants.id', 'personal_token.tenant_id')
    .leftJoin('personal_token_setting', 'personal_token_setting.tenant_id', 'personal_token.tenant_id')
    .select(['personal_token.id', 'personal_token.tenant_id', 'name', 'read_only', 'user_id', 'space_ids'])
    .select(['tenants.identifier', 'tenants.realm', 'expires_at'])
    .where('digest', '=', digest)
    .where(sql<boolean>`coalesce(personal_token_setting.enabled, true)`)
    .executeTakeFirst()
