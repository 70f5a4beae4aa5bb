import { expect, test } from 'vitest'
import { webhookSecretProblem } from './rules.ts'

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
