import { defaultLongestDays } from '@quayside/contract/personal-tokens/limits'
import { sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'

export const steps: SchemaStep[] = [
  {
    name: 'personal-tokens/001-tokens',
    async up(db) {
      await sql`create table personal_token (
        id text primary key, tenant_id text not null references tenants, user_id text not null, name text not null,
        digest text not null unique, read_only boolean not null, space_ids text[],
        created_at timestamptz not null default now(), expires_at timestamptz not null,
        last_used_at timestamptz)`.execute(db)
      await sql`create index personal_token_of_user on personal_token (tenant_id, user_id, id desc)`.execute(db)
      await sql`create index personal_token_by_end on personal_token (expires_at)`.execute(db)
      await isolateTenants(db, 'personal_token')
      await sql`create table personal_token_setting (
        tenant_id text primary key references tenants, enabled boolean not null,
        longest_days int not null default ${sql.lit(defaultLongestDays)})`.execute(db)
      await isolateTenants(db, 'personal_token_setting')
    },
  },
  {
    /** Limits that tenants have shortened were held against tokens when they were read. */
    name: 'personal-tokens/002-written-ends',
    async up(db) {
      await sql`update personal_token t set expires_at = t.created_at + make_interval(days => s.longest_days)
        from personal_token_setting s where s.tenant_id = t.tenant_id
        and t.expires_at > t.created_at + make_interval(days => s.longest_days)`.execute(db)
    },
  },
]
