import { createChattyApps } from '@quayside/embedded/story/chatty-apps'
import { createStory } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 20 }, env: { QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: '5' } })
})
afterAll(() => world?.close())

test('no row of any table holds a secret: not the ledger, its lines, the audit, the records, nor the queue, nor messages of webhooks', async () => {
  const story = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  await story.good('/im/v1/webhooks', {
    body: { name: 'Pager', url: 'https://hooks.invalid', events: ['action-failed', 'action-finished', 'app-health'] },
  })
  const { search, sayEverywhere, sayInHook } = await createChattyApps(world, story)
  await sayEverywhere(async () => undefined)
  for (const says of ['', 'failing hook']) expect((await sayInHook(says)).madeUp).toBe(3)
  expect(search.learnt.size).toBeGreaterThanOrEqual(10)
  const rows = await rowsOf(world.databaseUrl)
  for (const table of ['public.action ', 'public.action_event ', 'public.action_audit ', 'public.webhook_delivery '])
    expect(rows.some((row) => row.startsWith(table))).toBe(true)
  expect(rows.filter(search.isSaid).map(search.shortened)).toEqual([])
}, 180_000)

/** Every row of every table of a database, as text. */
async function rowsOf(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`select set_config('app.tenant', '*', false)`)
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const found: string[] = []
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(`select each::text as row from ${name} as each`)
      found.push(...rows.map(({ row }) => `${name} ${row}`))
    }
    return found
  } finally {
    await client.end()
  }
}
