import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { secretsOfRelease } from './chart-secrets.ts'
import { createSecretRedactor } from './secret-redactor.ts'

const encoded = (text: string) => Buffer.from(text).toString('base64')
const release = (manifest: string, hooks: string[] = []) => ({
  name: 'shop-x',
  namespace: 'team-a',
  chart: { name: 'shop', version: '1.0.0', appVersion: null },
  manifest,
  hooks: hooks.map((text) => ({ name: 'h', kind: 'Secret', events: [], manifest: text })),
})
const redactorOf = (...args: Parameters<typeof release>) => {
  const redactor = createSecretRedactor()
  redactor.learn(secretsOfRelease(release(...args)).texts, 'as words')
  return redactor.hide
}
const secret = (fields: string) => `---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: made\n${fields}\n`

test.each([
  ['data', secret(`data:\n  password: ${encoded('wDq7LmZp02Kx')}`), 'wDq7LmZp02Kx'],
  [
    'data with quotes and a line of its own',
    secret(`data:\n  "password":\n    "${encoded('wDq7LmZp02Kx')}"`),
    'wDq7LmZp02Kx',
  ],
  ['stringData', secret('stringData: { pin: "4829" }'), '4829'],
  [
    'a List',
    `kind: List\nitems:\n  - ${secret('data: { a: d0RxN0xtWnAwMkt4 }').slice(4).replaceAll('\n', '\n    ')}`,
    'wDq7LmZp02Kx',
  ],
  [
    'a SecretList',
    `kind: SecretList\nitems:\n  - metadata: { name: a }\n    data: { a: d0RxN0xtWnAwMkt4 }`,
    'wDq7LmZp02Kx',
  ],
  ['what cannot be read', `${secret(`data:\n  password: ${encoded('wDq7LmZp02Kx')}`)}  bad: [\n`, 'wDq7LmZp02Kx'],
  ['the password of an address', secret('stringData: { url: "postgres://me:wDq7LmZp02Kx@db/app" }'), 'wDq7LmZp02Kx'],
  [
    'an entry of a JSON document',
    secret(`stringData: { .dockerconfigjson: '{"auths":{"r.io":{"username":"u","password":"wDq7LmZp02Kx"}}}' }`),
    'wDq7LmZp02Kx',
  ],
  ['a setting in a file', secret('stringData:\n  app.ini: |\n    [db]\n    DB_PASSWORD=wDq7\n'), 'wDq7'],
  [
    'a line of a file',
    secret('stringData:\n  key: |\n    -----\n    MIIBVgIBADANBgkqh\n    -----\n'),
    'MIIBVgIBADANBgkqh',
  ],
])('%s of a Secret is hidden', (_, manifest, said) => {
  expect(secretsOfRelease(release(manifest)).isTooMuch).toBe(false)
  expect(redactorOf(manifest)(`It is ${said}.`)).toBe('It is ••••••••.')
  expect(redactorOf('', [manifest])(`level=INFO msg="a\\n${said}\\nb"`)).toBe('level=INFO msg="a\\n••••••••\\nb"')
})

test('bytes are hidden in base64', () => {
  const bytes = Buffer.from([0, 255, 1, 254, 2, 253, 3, 252, 4]).toString('base64')
  expect(redactorOf(secret(`data: { key: ${bytes} }`))(`key=${bytes}`)).toBe('key=••••••••')
})

test('what is no Secret, and what a Secret says that everybody says, stays readable', () => {
  const hide = redactorOf(
    `${secret('stringData: { a: x, on: "true", host: made, db: shop, in: team-a, user: admin, port: "443" }')}---
kind: ConfigMap
metadata:
  name: web
data: { greeting: hello-there }
`,
  )
  const line = 'x of made is true for shop in team-a at 443: hello-there, administrators'
  expect(hide(line)).toBe(line)
  expect(hide('user admin')).toBe('user ••••••••')
})

test('a value of one letter does not blank the log', () => {
  expect(redactorOf(secret('stringData: { a: e, b: " ", c: "" }'))('Everything is here')).toBe('Everything is here')
})

test('what was cut is hidden as far as it goes', () => {
  const long = 'k'.repeat(40) + 'wDq7LmZp02Kx'.repeat(600)
  const hide = redactorOf(secret(`stringData: { key: ${long} }`))
  expect(hide(`The key is ${long.slice(0, 4000)}…`)).toBe('The key is ••••••••')
})

test('more than can be looked for says so, in a bounded time', () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `    line number ${index} of a large file`)
  const started = performance.now()
  const found = secretsOfRelease(release(secret(`stringData:\n  file: |\n${lines.join('\n')}`)))
  expect(found.isTooMuch).toBe(true)
  expect(found.texts.join('').length).toBeLessThan(7_000_000)
  expect(performance.now() - started).toBeLessThan(5000)
})

test('four thousand secrets are looked for in a bounded time', () => {
  const lines = Array.from({ length: 3900 }, (_, index) => `    token-${index}-${(index * 7919).toString(36)}`)
  const { texts, isTooMuch } = secretsOfRelease(release(secret(`stringData:\n  file: |\n${lines.join('\n')}`)))
  expect(isTooMuch).toBe(false)
  const redactor = createSecretRedactor()
  redactor.learn(texts, 'as words')
  const line = 'token-x and '.repeat(340)
  const started = performance.now()
  for (let count = 0; count < 20; count += 1) expect(redactor.hide(line)).toBe(line)
  expect(performance.now() - started).toBeLessThan(4000)
  expect(redactor.hide(`so ${lines[1234]?.trim()} it is`)).toBe('so •••••••• it is')
})
