import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './db.ts'

/** A step of the schema, named `service/001-what`; steps run once each, in the order that app.ts lists them. */
export interface SchemaStep {
  name: string
  up: NonNullable<Migration['up']>
}

/** Brings the schema up to date; replicas that start together wait for each other. */
export async function migrate(db: Db, steps: readonly SchemaStep[]): Promise<void> {
  const ordered = steps.map(
    (step, index) => [`${String(index + 1).padStart(4, '0')}-${step.name}`, { up: step.up }] as const,
  )
  const migrator = new Migrator({ db: db.kysely, provider: { getMigrations: async () => Object.fromEntries(ordered) } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
