import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { ConfigError } from '../config/config.ts'
import type { Db } from './db.ts'

/** A step of the schema, named `service/001-what`; steps run once each, in the order that app.ts lists them. */
export interface SchemaStep {
  name: string
  up: NonNullable<Migration['up']>
}

/** Brings the schema up to date; replicas that start together wait for each other. */
export async function migrate(db: Db, steps: readonly SchemaStep[]): Promise<void> {
  const recorded = await recordedNames(db)
  mustBeKnown(recorded, steps)
  const named = steps.map((step, index) => {
    // The number puts what is still to do in its order. What has run is known by the name behind its number, which was
    // another one when there were fewer steps before it.
    const name = recorded.find((one) => stepOf(one) === step.name)
    return [name ?? `${String(index + 1).padStart(4, '0')}-${step.name}`, { up: forAllTenants(step) }] as const
  })
  const migrator = new Migrator({
    db: db.kysely,
    provider: { getMigrations: async () => Object.fromEntries(named) },
    allowUnorderedMigrations: true,
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/** A step changes rows of every tenant; one that said no tenant would find none. The setting ends with the transaction. */
function forAllTenants({ up }: SchemaStep): SchemaStep['up'] {
  return async (db) => {
    await sql`select set_config('app.tenant', '*', true)`.execute(db)
    await up(db)
  }
}

/** The name of a step as it is recorded, without its number. */
export function stepOf(recorded: string): string {
  return recorded.slice('0001-'.length)
}

/** A database that a newer portal has changed is left alone by an older one, which would read it wrongly. */
function mustBeKnown(recorded: readonly string[], steps: readonly SchemaStep[]): void {
  const known = new Set(steps.map(({ name }) => name))
  const missing = recorded.map(stepOf).filter((name) => !known.has(name))
  if (missing.length === 0) return
  throw new ConfigError(
    `DATABASE_URL: a newer version of Quayside has changed this database (${missing.join(', ')} is missing here). Start that version or a newer one, or restore a backup from before the upgrade into an empty database`,
  )
}

async function recordedNames({ kysely }: Db): Promise<string[]> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(
    kysely,
  )
  if (!rows[0]?.there) return []
  const recorded = await sql<{ name: string }>`select name from kysely_migration`.execute(kysely)
  return recorded.rows.map(({ name }) => name)
}
