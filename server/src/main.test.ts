import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const settings = {
  QUAYSIDE_SECRET_KEY: Buffer.alloc(32).toString('base64url'),
  QUAYSIDE_ADMIN_PASSWORD: 'not used by anybody',
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  KEYCLOAK_URL: 'http://127.0.0.1:1',
  KEYCLOAK_CLIENT_ID: 'none',
  KEYCLOAK_CLIENT_SECRET: 'none',
}

test('a portal with an unknown failpoint does not start and says in one line why', { timeout: 60_000 }, () => {
  const env = { PATH: process.env.PATH, ...settings, QUAYSIDE_FAILPOINTS: 'F13=kill,F27=kill' }
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env,
    encoding: 'utf8',
  })
  const refusal =
    'QUAYSIDE_FAILPOINTS: F27=kill is none; write F1 to F26 = kill, sigterm, throw, full, hold or hang:<ms>\n'
  expect({ status, stderr }).toEqual({ status: 1, stderr: refusal })
})
