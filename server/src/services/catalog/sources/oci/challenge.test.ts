import { expect, test } from 'vitest'
import { challengeIn, isSameOwner } from './challenge.ts'

test('reads demands of registries', () => {
  expect(challengeIn('Basic realm="Registry"')).toEqual({ scheme: 'basic' })
  const header =
    'Bearer realm="https://auth.example.org/token",service="registry.example.org",scope="repository:a/b:pull"'
  expect(challengeIn(header)).toEqual({
    scheme: 'bearer',
    realm: 'https://auth.example.org/token',
    service: 'registry.example.org',
    scope: 'repository:a/b:pull',
  })
})

test.each([undefined, '', 'Negotiate', 'Bearer', 'Bearer realm="no address"', `Bearer ${'a'.repeat(10_000)}`])(
  'knows nothing of %s',
  (header) => expect(challengeIn(header)).toBeUndefined(),
)

test.each([
  ['ghcr.io', 'ghcr.io', true],
  ['registry-1.docker.io', 'auth.docker.io', true],
  ['registry.gitlab.com', 'gitlab.com', true],
  ['registry.example.org', 'example.com', false],
  ['registry.example.co.uk', 'auth.other.co.uk', false],
  ['registry.example.org', 'auth.example.org', false],
  ['registry.example.org', 'org', false],
  ['registry.example.org', 'example.org.evil.net', false],
  ['10.0.0.1', '10.1.0.1', false],
  ['127.0.0.1', '127.0.0.1', true],
])('%s and %s: %s', (host, other, expected) => expect(isSameOwner(host, other)).toBe(expected))
