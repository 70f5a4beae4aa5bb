import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdentityBench, startBench } from '../testing/identity-bench.ts'

let bench: IdentityBench
beforeAll(async () => {
  bench = await startBench()
  await bench.admin.realms.create({ realm: 'harbour', enabled: true })
})
afterAll(() => bench?.[Symbol.asyncDispose]())

test('whoever only asks does not hear of connections to the database that are cut', async () => {
  const cut = () =>
    bench.sql(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'quayside-identity' and datname = current_database()`)
  const ask = () => bench.admin.groups.find({ realm: 'harbour' })
  for (let round = 0; round < 10; round += 1) {
    const [, ...answers] = await Promise.all([cut(), ask(), ask(), ask(), ask()])
    expect(answers).toEqual([[], [], [], []])
  }
  expect((await bench.admin.realms.findOne({ realm: 'harbour' }))?.realm).toBe('harbour')
})
