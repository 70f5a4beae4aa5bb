import { describe, expect, test } from 'vitest'
import { shareableChanges } from '../merge/delta.ts'
import { readYamlValue } from '../yaml/yaml-document.ts'
import { maskDocument, maskValue, unmaskDocument } from './masking.ts'
import { secretMark } from './secret-mark.ts'
import { isSecretName, secretsInText } from './secret-names.ts'
import { secretPathsOf } from './secret-paths.ts'

const hush = 'Hush-4711-hush'
const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${'c2ln'.repeat(8)}`

/** Documents with one secret each, as charts and people write them. */
const hidden: readonly (readonly [what: string, yaml: string, secret?: string])[] = [
  ['a password', `password: ${hush}\n`],
  ['a number as password', 'password: 471147\n', '471147'],
  ['camel case', `apiToken: ${hush}\n`],
  ['snake case', `api_key: ${hush}\n`],
  ['dashes', `client-secret: ${hush}\n`],
  ['a client secret', `oidc:\n  clientSecret: '${hush}'\n`],
  ['upper case', `env:\n  SMTP_PASS: ${hush}\n`],
  ['a list of tokens', `authToken:\n  - ${hush}\n`],
  ['Docker’s file', `dockerconfigjson: '{"auths":{"r.example":{"auth":"${hush}"}}}'\n`],
  ['Docker’s file as a map', `.dockerconfigjson:\n  auths:\n    r.example:\n      auth: ${hush}\n`],
  ['Docker’s file under another name', `file: '{"auths":{"r.example":{"auth":"SHVzaDpIdXNo"}}}'\n`, 'SHVzaDpIdXNo'],
  ['data of a Secret', `stringData:\n  anything: ${hush}\n`],
  ['an environment variable', `extraEnv:\n  - name: DB_PASSWORD\n    value: ${hush}\n  - name: TZ\n    value: UTC\n`],
  ['an address with a password', `url: postgres://shop:${hush}@db:5432/shop\n`],
  ['a connection string', `store: "Server=db;User Id=shop;Password=${hush};"\n`],
  ['an argument', `args:\n  - --db-password=${hush}\n`],
  ['a file of settings', `config: |\n  user = shop\n  password = ${hush}\n  port = 1\n`],
  ['a file of YAML', `config: |\n  db:\n    password: ${hush}\n    port: 1\n`],
  ['a header', `header: "Bearer ${hush}0123456789"\n`],
  ['a token by its look', `value: ${jwt}\n`, jwt],
  [
    'a private key',
    'pem: |\n  -----BEGIN PRIVATE KEY-----\n  SHVzaEh1c2g=\n  -----END PRIVATE KEY-----\n',
    'SHVzaEh1c2g=',
  ],
  ['a key that comes again, first', `password: ${hush}\npassword: other\n`],
  ['a key that comes again, last', `password: other\npassword: ${hush}\n`],
  ['a map that comes again', `db:\n  password: ${hush}\ndb:\n  host: x\n`],
  ['flow style that comes again', `db: {password: ${hush}, password: x}\n`],
  ['a block that comes again', `password: |\n  ${hush}\n\n# next\npassword: x\n`],
  ['behind an alias', `base: &b ${hush}\npassword: *b\n`],
  ['merged in', `base: &b {word: ${hush}}\ndb:\n  <<: *b\n`],
  ['a comment beside', `host: x # password: ${hush}\n`],
  ['a comment above', `# password: ${hush}\nhost: x\n`],
  ['a setting that was commented out', `db:\n  host: x\n  # apiToken: "${hush}"\n`],
  ['an address in a comment', `# was https://shop:${hush}@old.example before\nhost: x\n`],
  ['a secret that a comment repeats', `password: ${hush}\n# ${hush} is also the one of the old shop\n`],
  ['a key that was commented out', `# ${'QUJD'.repeat(12)}\nhost: x\n`, 'QUJD'.repeat(12)],
  ['what a comment calls masked', `# @MASKED\nword: ${hush}\n`],
]

describe.each(hidden.map(([what, yaml, secret = hush]) => ({ what, yaml, secret })))('$what', ({ yaml, secret }) => {
  const paths = secretPathsOf(yaml, { properties: { db: { properties: { word: { writeOnly: true } } } } })
  const masked = maskDocument(yaml, paths)

  test('does not leave, and all else reads as before', () => {
    expect(masked).not.toContain(secret)
    expect(masked).toContain('••••')
    expect(masked.split('\n').filter((line) => line.includes('host'))).toHaveLength(
      yaml.split('\n').filter((line) => line.includes('host')).length,
    )
    expect(maskDocument(masked, paths)).toBe(masked)
  })

  test('comes back when it is submitted untouched', () => {
    const { yaml: back, missing } = unmaskDocument(masked, readYamlValue(yaml))
    expect(missing).toEqual([])
    expect(readYamlValue(back)).toEqual(readYamlValue(yaml))
  })

  test('goes into no value, preset or link', () => {
    expect(JSON.stringify(maskValue(readYamlValue(yaml), paths))).not.toContain(secret)
    expect(
      shareableChanges(yaml, '{}\n', { properties: { db: { properties: { word: { writeOnly: true } } } } }),
    ).not.toContain(secret)
  })
})

test('what only names or explains a secret is shown', () => {
  const yaml = `existingSecret: shop-db
secretName: tls
imagePullSecret: regcred
tls: {secretName: shop, key: tls.key}
passwordKey: password
automountServiceAccountToken: true
url: http://db.example:5432/shop
image: registry.example:5000/shop@sha256:0123
dsn: postgres://shop:$(DB_PASSWORD)@db/shop
args: ["--password=$(DB_PASSWORD)", "--token-ttl=5m"]
config: |
  password: {{ .Values.password }}
  # keep
password: ""
topologyKey: kubernetes.io/hostname # the password: one that nobody guesses
`
  expect(maskDocument(yaml, secretPathsOf(yaml))).toBe(yaml)
})

test('a comment of the chart is shown, whatever it looks like', () => {
  const chart = '# password: changeme\nhost: x\n'
  expect(maskDocument(`${chart}# password: mine\n`, [], undefined, [chart])).toBe(`${chart}# password: ${secretMark}\n`)
})

test.each([
  ['rootPassword', true],
  ['DB_PASS', true],
  ['smtpPass', true],
  ['bypass', false],
  ['secretAccessKey', true],
  ['accessKeyId', false],
  ['encryption-key', true],
  ['userPasswordSecretKey', false],
  ['webhookSecret', true],
  ['tlsSecret', false],
  ['extraEnvVarsSecret', false],
  ['envFromSecret', false],
  ['certificatesSecret', false],
  ['passwordsSecret', false],
  ['initScriptsSecret', false],
  ['trustedCertsSecret', false],
  ['jksTruststoreSecret', false],
  ['tokenExpiry', false],
  ['connectionString', true],
])('%s is a secret: %s', (name, isSecret) => {
  expect(isSecretName(name)).toBe(isSecret)
})

test('a hostile text takes a bounded time', () => {
  const start = performance.now()
  for (const part of ['a', 'password', '://', 'Bearer ', 'eyJ', 'password=', '- ', '"', '-----BEGIN ', 'a.'])
    secretsInText(part.repeat(300_000 / part.length))
  expect(performance.now() - start).toBeLessThan(10_000)
})
