import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fail } from '../http/errors.ts'
import { createLogger } from '../logging/logger.ts'
import { openDb } from './db.ts'
import { untilDatabaseAnswers } from './start.ts'

const log = createLogger('silent')

test('a database that answers a little later is waited for', async () => {
  let asked = 0
  const ask = async () => {
    asked += 1
    if (asked < 3) throw fail('database.unavailable')
  }
  await untilDatabaseAnswers(ask, log)
  expect(asked).toBe(3)
})

test('one that stays away ends the start in one sentence', async () => {
  const db = openDb('postgresql://nobody@127.0.0.1:1/none', log)
  const asking = untilDatabaseAnswers(() => db.platform((trx) => sql`select 1`.execute(trx)), log, 1)
  await expect(asking).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/^DATABASE_URL: the database did not answer for 1 s \(.+\)\. See that [^\n]+$/),
  })
  await db.close()
})

test('what waiting does not mend is said at once', async () => {
  const wrong = Object.assign(new Error('password authentication failed'), { code: '28P01' })
  await expect(untilDatabaseAnswers(() => Promise.reject(wrong), log)).rejects.toBe(wrong)
})
