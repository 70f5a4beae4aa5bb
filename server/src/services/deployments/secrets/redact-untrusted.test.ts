import { expect, test } from 'vitest'
import { redactor, secretsOf, secretValues } from './redact-untrusted.ts'

const version = {
  valuesYaml: 'auth:\n  pin: ""\n  user: ann\n# @MASKED\ngreeting: ""\n',
  valuesSchema: { properties: { auth: { properties: { pin: { format: 'password' } } } } },
}

test('what the schema or a comment calls secret is', () => {
  expect(secretsOf(version, 'more: x # @MASKED\n', 'not: [yaml')).toEqual([['greeting'], ['auth', 'pin'], ['more']])
})

test('their values disappear from lines, in base64 and escaped too', () => {
  const secrets = secretValues({ auth: { pin: 'pa"ss', user: 'ann' }, greeting: 'hush' }, secretsOf(version))
  const hide = redactor(secrets)
  expect(hide('Error: pa"ss is short, hush!')).toBe('Error: •••••••• is short, ••••••••!')
  expect(hide(JSON.stringify({ pin: 'pa"ss' }))).toBe('{"pin":"••••••••"}')
  expect(hide(`data: ${Buffer.from('hush').toString('base64')}`)).not.toContain('aHVzaA')
  expect(hide('ann is not a secret')).toBe('ann is not a secret')
})

test('names that tell are secret without any directive, references to secrets are not', () => {
  const secrets = secretValues({ db: { rootPassword: 'r00t', existingSecret: 'mine', secretName: 'tls' } }, [])
  expect(secrets).toEqual(['r00t'])
  expect(secretValues({ passwordPolicy: 'strict', adminPasswords: 'r00t', tokenValue: 't0ken' }, [])).toEqual([
    't0ken',
    'r00t',
  ])
})

test('a value inside of a longer one does not leave the rest of it', () => {
  const hide = redactor(secretValues({ password: 'abc', token: 'abcdef' }, []))
  expect(hide('abcdef abc')).toBe('•••••••• ••••••••')
})

test('a secret inside of a longer text in base64, and as Go and addresses write it, is hidden too', () => {
  const secret = 'Ships&Sail <42>/yonder'
  const hide = redactor(secretValues({ password: secret }, []))
  for (const before of ['', 'm', 'me', 'me:']) {
    const line = hide(Buffer.from(`${before}${secret}@db`).toString('base64'))
    expect(Buffer.from(line.replaceAll('••••••••', ''), 'base64').toString()).not.toContain('yonder')
  }
  expect(hide('Ships\\u0026Sail \\u003c42\\u003e/yonder')).toBe('••••••••')
  expect(hide('Ships%26Sail+%3C42%3E%2Fyonder')).toBe('••••••••')
  expect(hide('Ships%26Sail%20%3C42%3E%2Fyonder')).toBe('••••••••')
})
