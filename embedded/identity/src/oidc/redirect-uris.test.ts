import { describe, expect, test } from 'vitest'
import { redirectAllowed, redirectPatternProblem } from './redirect-uris.ts'

const own = 'http://portal.example'
const registered = ['https://app.example/callback?x=1', `${own}/en/*`, 'https://foreign.example/*']

describe('requested redirect addresses', () => {
  test.each(['https://app.example/callback?x=1', `${own}/en/`, `${own}/en/apps/7?tab=pods`])('%s is allowed', (uri) => {
    expect(redirectAllowed(uri, registered, own)).toBe(true)
  })
  test.each([
    'https://app.example/callback',
    'https://app.example/callback?x=1&y=2',
    `${own}/en`,
    `${own}/enemy`,
    `${own}/en/../admin`,
    `${own}/en/%2e%2e/admin`,
    `${own}/en/..%2fadmin`,
    `${own}/en/a\\..\\b`,
    `${own}/en/#frag`,
    `http://user@portal.example/en/`,
    `${own}.evil.example/en/`,
    `${own}:8081/en/`,
    'https://foreign.example/anything',
    `${own}/en/*`,
    'not an address',
    '',
  ])('%s is not', (uri) => {
    expect(redirectAllowed(uri, registered, own)).toBe(false)
  })
})

describe('patterns to register', () => {
  test.each(['https://a.example/', 'http://localhost:8080/*', 'https://a.example/b/*'])('%s is fine', (uri) => {
    expect(redirectPatternProblem(uri)).toBeUndefined()
  })
  test.each([
    '*',
    'https://*/',
    'https://*.a.example/*',
    'https://a.example/*/b',
    'https://a.example/x*',
    'https://a.example/#y',
    'data:text/html,x',
    'https://u:p@a.example/',
    'https://a.example/?q=*',
  ])('%s is not', (uri) => {
    expect(redirectPatternProblem(uri)).toBeDefined()
  })
})
