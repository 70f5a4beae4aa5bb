import type { FieldConfiguration } from '@quayside/contract/deployment'
import { expect, test } from 'vitest'
import { redactor, secretPaths, secretValues } from './redaction.ts'

const leaf = (name: string, type: string, comments: string[] = []): FieldConfiguration => ({
  label: name,
  name,
  type,
  objects: [],
  collections: [],
  comments,
})
const fields = [
  { ...leaf('auth', 'object'), objects: [leaf('pin', 'password'), leaf('user', 'string')] },
  leaf('greeting', 'string', ['@MASKED']),
]

test('password fields and masked fields are secret', () => {
  expect(secretPaths(fields)).toEqual([['auth', 'pin'], ['greeting']])
})

test('their values disappear from lines, in base64 and escaped too', () => {
  const secrets = secretValues({ auth: { pin: 'pa"ss', user: 'ann' }, greeting: 'hush' }, secretPaths(fields))
  const hide = redactor(secrets)
  expect(hide('Error: pa"ss is short, hush!')).toBe('Error: •••• is short, ••••!')
  expect(hide(JSON.stringify({ pin: 'pa"ss' }))).toBe('{"pin":"••••"}')
  expect(hide(`data: ${Buffer.from('hush').toString('base64')}`)).not.toContain('aHVzaA')
  expect(hide('ann is not a secret')).toBe('ann is not a secret')
})

test('names that tell are secret without any directive, references to secrets are not', () => {
  const secrets = secretValues({ db: { rootPassword: 'r00t', existingSecret: 'mine', secretName: 'tls' } }, [])
  expect(secrets).toEqual(['r00t'])
})

test('a value inside of a longer one does not leave the rest of it', () => {
  const hide = redactor(secretValues({ password: 'abc', token: 'abcdef' }, []))
  expect(hide('abcdef abc')).toBe('•••• ••••')
})
