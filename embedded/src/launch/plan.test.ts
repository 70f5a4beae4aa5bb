import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { planFrom } from './plan.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'quayside-test-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))
const plan = (env: Record<string, string> = {}) => planFrom({ QUAYSIDE_DATA_DIR: dataDir, ...env }, '/somewhere')

test('says nothing, gets everything of our own', () => {
  expect(plan()).toMatchObject({
    port: 8080,
    url: 'http://localhost:8080',
    realm: 'demo',
    databaseUrl: undefined,
    keycloak: undefined,
    sandbox: true,
    samples: true,
  })
})

test('generated secrets are kept from start to start, readable by their owner alone', () => {
  const first = plan()
  expect(first.admin.password).toMatch(/^([0-9a-f]{6}-){4}[0-9a-f]{6}$/)
  expect(first.secretKey.length).toBeGreaterThanOrEqual(32)
  expect(plan()).toEqual(first)
  expect(readFileSync(join(dataDir, 'admin-password'), 'utf8').trim()).toBe(first.admin.password)
  expect(statSync(join(dataDir, 'admin-password')).mode & 0o777).toBe(0o600)
})

test('what the environment says wins, also from a file', () => {
  writeFileSync(join(dataDir, 'word'), 'from the file\n')
  const env = {
    QUAYSIDE_PORT: '9000',
    QUAYSIDE_URL: 'https://q.example/',
    QUAYSIDE_ADMIN_PASSWORD_FILE: join(dataDir, 'word'),
  }
  expect(plan(env)).toMatchObject({ port: 9000, url: 'https://q.example', admin: { password: 'from the file' } })
})

test('what only concerns the portal is handed on to it', () => {
  const env = {
    QUAYSIDE_LEASE_SECONDS: '12',
    QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true',
    KEYCLOAK_PUBLIC_URL: 'https://id.example',
  }
  expect(plan(env).portalEnv).toEqual(env)
})

/** Values that are read; any other setting is handed on as it is. */
const values: Record<string, string> = {
  QUAYSIDE_PORT: '9000',
  QUAYSIDE_URL: 'https://q.example',
  QUAYSIDE_METRICS: 'false',
  QUAYSIDE_METRICS_DAYS: '30',
  QUAYSIDE_SANDBOX: 'false',
  QUAYSIDE_SAMPLES: 'false',
  KEYCLOAK_URL: 'https://other.example',
}
const page = readFileSync(resolve(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
const table = page.slice(page.indexOf('| setting |'), page.indexOf('## HTTPS'))
const documented = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) => cell.match(/[A-Z][A-Z_]+/g) ?? [])

test('the page of settings is read', () => expect(documented.length).toBeGreaterThan(40))

test.each(documented)('the documented setting %s does something', (name) => {
  const keycloak = { KEYCLOAK_URL: 'https://id.example', KEYCLOAK_CLIENT_ID: 'q', KEYCLOAK_CLIENT_SECRET: 's' }
  const tls = { QUAYSIDE_TLS_CERT_FILE: '/tls.crt', QUAYSIDE_TLS_KEY_FILE: '/tls.key' }
  const folder: Record<string, string> =
    name === 'QUAYSIDE_DATA_DIR' ? { QUAYSIDE_DATA_DIR: mkdtempSync(join(dataDir, 'other-')) } : {}
  const prometheus = name.startsWith('PROMETHEUS_') && { PROMETHEUS_URL: 'https://metrics.example' }
  const base = { ...keycloak, ...tls, ...prometheus }
  const without = plan(base)
  expect(plan({ ...base, [name]: values[name] ?? 'something', ...folder })).not.toEqual(without)
  if (!/(TOKEN|PASSWORD|SECRET|SECRET_KEY|DATABASE_URL)$/.test(name)) return
  const file = join(dataDir, 'given')
  writeFileSync(file, 'from a file')
  const { [name]: _, ...others } = base as Record<string, string>
  expect(plan({ ...others, [`${name}_FILE`]: file })).not.toEqual(without)
})

test('a metrics engine is started unless there is a Prometheus, or nobody wants one', () => {
  expect(plan()).toMatchObject({ metricsToken: expect.stringMatching(/.{32}/), metricsDays: 7 })
  expect(plan({ QUAYSIDE_METRICS_DAYS: '30' }).metricsDays).toBe(30)
  expect(plan({ QUAYSIDE_METRICS: 'false' }).metricsToken).toBeUndefined()
  const given = { PROMETHEUS_URL: 'https://metrics.example', PROMETHEUS_TOKEN_FILE: '/run/secrets/token' }
  expect(plan(given)).toMatchObject({ metricsToken: undefined, portalEnv: given })
})

test('with a certificate people reach it by https', () => {
  const files = { QUAYSIDE_TLS_CERT_FILE: '/etc/tls.crt', QUAYSIDE_TLS_KEY_FILE: '/etc/tls.key' }
  expect(plan(files)).toMatchObject({ url: 'https://localhost:8080', portalEnv: files })
})

test('somebody else’s identity server brings its client and gets no sample people', () => {
  const keycloak = { KEYCLOAK_URL: 'https://id.example', KEYCLOAK_CLIENT_ID: 'q', KEYCLOAK_CLIENT_SECRET: 's' }
  expect(plan(keycloak)).toMatchObject({ keycloak: { url: 'https://id.example', clientId: 'q' }, samples: 'new realm' })
  expect(() => plan({ KEYCLOAK_URL: 'https://id.example' })).toThrow('Set KEYCLOAK_CLIENT_ID')
})

test.each([
  [{ QUAYSIDE_PORT: 'abc' }, 'QUAYSIDE_PORT is "abc"'],
  [{ QUAYSIDE_PORT: '70000' }, 'which is no port'],
  [{ PROMETHEUS_TOKEN: 'secret' }, 'PROMETHEUS_TOKEN is set without PROMETHEUS_URL'],
  [{ PROMETHEUS_WRITE_URL: 'https://x' }, 'PROMETHEUS_WRITE_URL is set without PROMETHEUS_URL'],
  [{ QUAYSIDE_METRICS_DAYS: '0' }, 'QUAYSIDE_METRICS_DAYS is "0"'],
  [{ QUAYSIDE_URL: 'ftp://x' }, 'QUAYSIDE_URL is "ftp://x"'],
  [{ QUAYSIDE_TLS_CERT_FILE: '/tls.crt' }, 'Set both QUAYSIDE_TLS_CERT_FILE and QUAYSIDE_TLS_KEY_FILE'],
  [{ DATABASE_URL_FILE: '/no/such/file' }, 'DATABASE_URL_FILE names /no/such/file'],
])('refuses %j with a sentence', (env, sentence) => {
  expect(() => plan(env as Record<string, string>)).toThrow(sentence)
})
