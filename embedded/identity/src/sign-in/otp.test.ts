import { HOTP, Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { newOtpSecret, type OtpTerms, otpAddress, otpStep } from './otp.ts'

const terms: OtpTerms = { subType: 'totp', algorithm: 'HmacSHA256', digits: 6, period: 30, counter: 0 }
const secret = newOtpSecret()
const now = 1_800_000_000_000

describe('one-time codes', () => {
  test('count in their window and say which step they are of', () => {
    const made = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA256' })
    const step = Math.floor(now / 30_000)
    expect(otpStep(secret, terms, 1, made.generate({ timestamp: now }), now)).toBe(step)
    expect(otpStep(secret, terms, 1, made.generate({ timestamp: now - 30_000 }), now)).toBe(step - 1)
    expect(otpStep(secret, terms, 1, made.generate({ timestamp: now - 90_000 }), now)).toBeUndefined()
  })
  test('of a counter only move forward', () => {
    const hotp = { ...terms, subType: 'hotp' as const, algorithm: 'HmacSHA1', counter: 5 }
    const made = new HOTP({ secret: Secret.fromBase32(secret) })
    expect(otpStep(secret, hotp, 2, made.generate({ counter: 6 }), now)).toBe(6)
    expect(otpStep(secret, hotp, 2, made.generate({ counter: 4 }), now)).toBeUndefined()
  })
  test.each(['', '12345', '1234567', 'abcdef'])('%j is none', (code) => {
    expect(otpStep(secret, terms, 1, code, now)).toBeUndefined()
  })
  test('the address for apps names issuer and person', () => {
    expect(otpAddress(secret, terms, 'Demo harbour', 'mara')).toMatch(/^otpauth:\/\/totp\/Demo%20harbour:mara\?/)
  })
})
