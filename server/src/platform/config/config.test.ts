import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const needed = {
  ...{ DATABASE_URL: 'postgres://one', KEYCLOAK_URL: 'https://id.example', KEYCLOAK_CLIENT_ID: 'quayside' },
  ...{ KEYCLOAK_CLIENT_SECRET: 'secret', QUAYSIDE_SECRET_KEY: '0'.repeat(64) },
}
const url = 'https://metrics.example'

test('samples are written below the address that they are read from, unless another one is given', () => {
  expect(readConfig(needed).prometheus).toBeUndefined()
  expect(readConfig({ ...needed, PROMETHEUS_URL: `${url}/` }).prometheus).toEqual({
    ...{ url, writeUrl: `${url}/api/v1/write`, authorization: undefined },
  })
  const PROMETHEUS_WRITE_URL = 'https://write.example/push'
  expect(readConfig({ ...needed, PROMETHEUS_URL: url, PROMETHEUS_WRITE_URL }).prometheus?.writeUrl).toBe(
    PROMETHEUS_WRITE_URL,
  )
})

test.each([
  [{ PROMETHEUS_URL: 'https://me:secret@metrics.example' }, /PROMETHEUS_URL must have no user name and no password/],
  [{ KEYCLOAK_PUBLIC_URL: 'https://me@id.example' }, /KEYCLOAK_PUBLIC_URL must have no user name and no password/],
  [{ PROMETHEUS_TOKEN: 'secret' }, /PROMETHEUS_URL: is needed beside PROMETHEUS_TOKEN/],
  [{ PROMETHEUS_WRITE_URL: url }, /PROMETHEUS_URL: is needed beside PROMETHEUS_WRITE_URL/],
])('%j is refused', (env, reason) => {
  expect(() => readConfig({ ...needed, ...env })).toThrow(reason)
})
