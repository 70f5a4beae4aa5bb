import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import type { MatrixWorld, Stage } from '../matrix/stage.ts'
import type { ActionRow } from '../tables.ts'
import type { Told } from './writers.ts'

const patienceMs = 75_000

export type Witness = ReturnType<typeof createWitness>

/** Asks PostgreSQL itself what became of writes and actions, each time on a connection of its own. */
export function createWitness(world: Pick<MatrixWorld, 'databaseUrl'>) {
  const acknowledged: string[] = []

  async function ask<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: world.databaseUrl })
    await client.connect()
    try {
      await client.query(`select set_config('app.tenant', '*', false)`)
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }

  return {
    ask,
    /** Writes that were acknowledged and accounted for so far. */
    acknowledged,

    async untilFinal(id: string): Promise<ActionRow> {
      const until = performance.now() + patienceMs
      for (;;) {
        const [found] = await ask<ActionRow>('select * from action where id = $1', [id])
        if (found?.final_at) return found
        if (performance.now() > until) throw new Error(`no final state in time: ${found?.state ?? 'no such action'}`)
        await delay(50)
      }
    },

    /** Every app that was ever acknowledged is there, with its action at its end and both audit rows. */
    async account(told: Told): Promise<void> {
      acknowledged.push(...told.acknowledged)
      const found = await ask<{ app_id: string }>(
        `select a.app_id from action a join apps on apps.id = a.app_id
         where a.kind = 'Assign' and a.final_at is not null and a.app_id = any($1)
           and (select count(*) from action_audit where action_id = a.id) = 2`,
        [acknowledged],
      )
      const there = new Set(found.map((row) => row.app_id))
      expect(acknowledged.filter((id) => !there.has(id))).toEqual([])
    },
  }
}

/** One write through the public door: an app is assigned, which makes its record, an ended action and two audit rows. */
export async function assigning(stage: Stage) {
  const story = await stage.admin()
  const tenant = await story.good<{ id: string }>('/portal-api/v2/tenants/byrealm/demo')
  const [catalogChild] = stage.versions
  const { id: spaceId, clusters } = stage.space
  const body = { tenantId: tenant.id, spaceId, clusterId: clusters[0]?.id, catalogChild }
  return () => story.post<unknown>('Assign', body)
}
