import { expect, test } from 'vitest'
import { createRedactor } from './redact.ts'
import { secretsIn, shownSettings } from './shown-settings.ts'

const redact = createRedactor(['pass word"1', 'short', 'the-secret-key-of-this-test'])

test.each([
  ['as it is', 'key the-secret-key-of-this-test end'],
  ['in JSON', JSON.stringify({ text: 'pass word"1' })],
  ['in an address', `?q=${encodeURIComponent('pass word"1')}`],
  ['in base64', `Authorization ${Buffer.from('the-secret-key-of-this-test').toString('base64')}`],
])('a known secret is taken out %s', (_, text) => {
  const clean = redact(text)
  expect(clean).toContain('(secret)')
  expect(clean).not.toMatch(/pass|the-secret|dGhlLXNlY3/)
})

test.each([
  'authorization: Bearer abcdef.0123456789',
  'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'connect postgresql://quayside:planted@database/quayside failed',
  '{"password":"planted-value"}',
  "client_secret='planted-value'",
  'token = planted-value',
  '-----BEGIN PRIVATE KEY-----\nplanted\n-----END PRIVATE KEY-----',
])('what looks like a secret is taken out: %s', (text) => {
  const clean = redact(text)
  expect(clean).toContain('(secret)')
  expect(clean).not.toMatch(/planted|abcdef|eyJ/)
})

test('ordinary lines stay as they are, also with a word that is a short secret', () => {
  const line = '{"level":30,"msg":"a short token was refused","requestId":"b2f1","url":"https://portal.example/en/"}'
  expect(redact(line)).toBe(line)
})

test('settings show what is set, and of a secret only that it is', () => {
  const given = {
    DATABASE_URL: 'postgresql://quayside:pa%20ss@database/quayside',
    QUAYSIDE_SECRET_KEY: 'k'.repeat(32),
    QUAYSIDE_AUDIT_URL: 'https://me:planted@audit.example/in?token=planted',
    QUAYSIDE_PORT: '8080',
    KEYCLOAK_CLIENT_SECRET: 'planted',
  }
  const names = [...Object.keys(given), 'HELM_BIN']
  expect(shownSettings(names, given)).toEqual({
    DATABASE_URL: '(set)',
    QUAYSIDE_SECRET_KEY: '(set)',
    QUAYSIDE_AUDIT_URL: 'https://audit.example/in',
    QUAYSIDE_PORT: '8080',
    KEYCLOAK_CLIENT_SECRET: '(set)',
  })
  expect(secretsIn(given)).toEqual(expect.arrayContaining(['planted', 'k'.repeat(32), 'pa ss']))
})
