import { expect, test } from 'vitest'
import { redirectUriProblem, webOriginProblem } from './rules.ts'

test.each([
  'https://app.example.org/',
  'https://app.example.org/signed-in/*',
  'http://localhost:3000/callback?way=1',
  'org.example.app:/signed-in',
])('%s is an address to come back to', (uri) => expect(redirectUriProblem(uri)).toBeUndefined())

test.each([
  '*',
  '',
  '/relative',
  'https://*.example.org/',
  'https://app.example.org*',
  'https://app.example.org/*/x',
  'https://app.example.org/**',
  'https://*',
  'https://user:word@app.example.org/',
  'https://app.example.org/#top',
  'https://app.example.org/with space',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'org.example.app:/*',
  `https://app.example.org/${'x'.repeat(500)}`,
])('%s is none', (uri) => expect(redirectUriProblem(uri)).toBeDefined())

test.each(['+', 'https://app.example.org', 'http://localhost:3000'])('%s is an origin', (origin) =>
  expect(webOriginProblem(origin)).toBeUndefined(),
)

test.each([
  '*',
  '',
  'https://app.example.org/',
  'https://app.example.org/x',
  'HTTPS://app.example.org',
  'null',
  'file://',
])('%s is none as an origin', (origin) => expect(webOriginProblem(origin)).toBeDefined())
