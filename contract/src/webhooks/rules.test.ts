import { expect, test } from 'vitest'
import { webhookSecretProblem, webhookUrlProblem } from './rules.ts'

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`

test.each([24, 25, 26, 64])('a secret of %i bytes is good', (bytes) => {
  expect(webhookSecretProblem(secretOf(bytes))).toBeUndefined()
})

test.each([secretOf(23), secretOf(65), secretOf(32).slice(6), `${secretOf(32)}=`, 'whsec_', ''])(
  '%j is refused',
  (text) => {
    expect(webhookSecretProblem(text)).toContain('24 to 64 bytes')
  },
)

test('a text without end is refused unread', { timeout: 2000 }, () => {
  expect(webhookSecretProblem(`whsec_${'='.repeat(500_000)}x`)).toContain('24 to 64 bytes')
})

test.each([
  ['hooks.example.org', 'must be complete'],
  ['ftp://hooks.example.org', 'must be complete'],
  ['https://me:secret@hooks.example.org', 'must not have a user name or a password'],
  ['https://hooks.example.org/#there', 'must not have a #'],
  [`https://hooks.example.org/${'a'.repeat(1000)}`, 'may have at most 1000 characters'],
])('the address %s is refused by the end of a sentence', (text, end) => expect(webhookUrlProblem(text)).toContain(end))

test('an address with a key in its query is good', () => {
  expect(webhookUrlProblem(' https://hooks.example.org/portal?key=1 ')).toBeUndefined()
})
