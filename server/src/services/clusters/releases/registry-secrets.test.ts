import { expect, it } from 'vitest'
import { hostsOf } from './registry-secrets.ts'

const encode = (config: unknown) => Buffer.from(JSON.stringify(config)).toString('base64')

it('names the registries and nothing of their credentials', () => {
  const auths = { 'https://index.example.com/v1/': { auth: 'dXNlcjpzZWNyZXQ=' }, 'ghcr.example.com': {} }
  expect(hostsOf(encode({ auths }))).toEqual(['index.example.com', 'ghcr.example.com'])
})

it.each(['', 'not base64', encode([]), encode({ auths: 7 }), encode(null)])('lives with %s', (text) => {
  expect(hostsOf(text)).toEqual([])
})
