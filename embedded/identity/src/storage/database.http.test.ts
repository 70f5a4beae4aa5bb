import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture.ts'

let fixture: IdentityFixture
beforeAll(async () => {
  fixture = await startIdentityFixture()
  await fixture.admin.realms.create({ realm: 'harbour', enabled: true })
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

test('whoever only asks does not hear of connections to the database that are cut', async () => {
  const cut = () =>
    fixture.sql(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'quayside-identity' and datname = current_database()`)
  const ask = () => fixture.admin.groups.find({ realm: 'harbour' })
  for (let round = 0; round < 10; round += 1) {
    const [, ...answers] = await Promise.all([cut(), ask(), ask(), ask(), ask()])
    expect(answers).toEqual([[], [], [], []])
  }
  expect((await fixture.admin.realms.findOne({ realm: 'harbour' }))?.realm).toBe('harbour')
})
