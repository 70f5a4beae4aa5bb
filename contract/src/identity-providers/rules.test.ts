import { expect, test } from 'vitest'
import { discoveryAddress, providerAddressProblem } from './rules.ts'

test.each([
  ['https://login.example.org', 'https://login.example.org/.well-known/openid-configuration'],
  ['https://login.example.org/tenant/ ', 'https://login.example.org/tenant/.well-known/openid-configuration'],
  [
    'https://login.example.org/.well-known/openid-configuration',
    'https://login.example.org/.well-known/openid-configuration',
  ],
])('%s describes itself at %s', (typed, address) => {
  expect(discoveryAddress(typed)).toBe(address)
  expect(providerAddressProblem(typed)).toBeUndefined()
})

test.each([
  '',
  'login.example.org',
  'ftp://login.example.org',
  'javascript:alert(1)',
  'https://user:word@login.example.org',
  'https://login.example.org/?a=b',
  'https://login.example.org/#top',
  `https://login.example.org/${'x'.repeat(500)}`,
])('%s is no address of a provider', (typed) => expect(providerAddressProblem(typed)).toBeDefined())
