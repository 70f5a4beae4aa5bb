import { sql } from 'kysely'
import type { SpaceCondition } from '../../platform/auth/rights.ts'
import type { Db } from '../../platform/db/db.ts'
import { shortId } from '../../platform/db/ids.ts'
import type { Tables } from './tables.ts'

interface TenantRecord {
  id: string
  identifier: string
  realm: string
  displayName: string
}

const remembered = 30_000

/** Tenants by realm. Looked up on nearly every first call of a token, so an answer is kept for half a minute. */
export function createTenants(db: Db) {
  const known = new Map<string, { at: number; tenant: TenantRecord | undefined }>()

  return {
    async ofRealm(realm: string): Promise<TenantRecord | undefined> {
      const hit = known.get(realm)
      if (hit && Date.now() - hit.at < remembered && hit.tenant) return hit.tenant
      const row = await db.platformOne<Tables, Tables['tenants'] | undefined>(
        (trx) => trx.selectFrom('tenants').selectAll().where('realm', '=', realm).executeTakeFirst() as never,
      )
      const tenant = row && { id: row.id, identifier: row.identifier, realm: row.realm, displayName: row.display_name }
      known.set(realm, { at: Date.now(), tenant })
      return tenant
    },

    async realmOf(tenantId: string): Promise<string | undefined> {
      const hit = [...known.values()].find(({ tenant }) => tenant?.id === tenantId)
      if (hit) return hit.tenant?.realm
      const row = await db.platformOne<Tables, { realm: string } | undefined>((trx) =>
        trx.selectFrom('tenants').select('realm').where('id', '=', tenantId).executeTakeFirst(),
      )
      return row?.realm
    },

    /** Tells whether there is more than one. */
    async areSeveral(): Promise<boolean> {
      const two = await db.platformOne<Tables, object[]>((trx) =>
        trx.selectFrom('tenants').select('id').limit(2).execute(),
      )
      return two.length > 1
    },

    /** Makes the tenant of a realm unless it is there; replicas may do this at the same time. */
    async ensure(realm: string, displayName: string): Promise<TenantRecord> {
      await db.platformOne<Tables, unknown>((trx) =>
        trx
          .insertInto('tenants')
          .values({ id: shortId(), identifier: realm, realm, display_name: displayName })
          .onConflict((conflict) => conflict.column('realm').doNothing())
          .execute(),
      )
      known.delete(realm)
      const tenant = await this.ofRealm(realm)
      if (!tenant) throw new Error(`tenant of realm ${realm} vanished`)
      return tenant
    },

    /** Ids of the spaces and their apps that somebody sees. */
    contentOf(tenantId: string, see: { spaces?: SpaceCondition | undefined; apps?: SpaceCondition | undefined }) {
      return db.tenantOne<Tables, { id: string; apps: { id: string }[] }[]>(tenantId, async (trx) => {
        const rows = await sql<{ id: string; apps: { id: string }[] }>`
          select s.id, coalesce(json_agg(json_build_object('id', a.id)) filter (where a.id is not null), '[]') as apps
          from spaces s left join apps a on a.space_id = s.id and ${see.apps?.('a.space_id') ?? sql`true`}
          where ${see.spaces?.('s.id') ?? sql`true`} group by s.id order by min(s.created_at)`.execute(trx)
        return rows.rows
      })
    },
  }
}
export type Tenants = ReturnType<typeof createTenants>
