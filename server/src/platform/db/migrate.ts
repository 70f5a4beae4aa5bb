import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './db.ts'

/** A step of the schema, named `service/001-what`; steps run once each, in the order that app.ts lists them. */
export interface SchemaStep {
  name: string
  up: NonNullable<Migration['up']>
}

/** Brings the schema up to date; replicas that start together wait for each other. */
export async function migrate(db: Db, steps: readonly SchemaStep[]): Promise<void> {
  const recorded = await recordedNames(db)
  const named = steps.map((step, index) => {
    // The number puts what is still to do in its order. What has run is known by the name behind its number, which was
    // another one when there were fewer steps before it.
    const name = recorded.find((one) => one.slice(numberLength) === step.name)
    return [name ?? `${String(index + 1).padStart(4, '0')}-${step.name}`, { up: step.up }] as const
  })
  const migrator = new Migrator({
    db: db.kysely,
    provider: { getMigrations: async () => Object.fromEntries(named) },
    allowUnorderedMigrations: true,
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

const numberLength = '0001-'.length

async function recordedNames({ kysely }: Db): Promise<string[]> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(
    kysely,
  )
  if (!rows[0]?.there) return []
  const recorded = await sql<{ name: string }>`select name from kysely_migration`.execute(kysely)
  return recorded.rows.map(({ name }) => name)
}
