import { describe, expect, test } from 'vitest'
import { fits, nextStage } from './stage.ts'

const facts = { known: true, hasOtp: false, otpPassed: false, requiredActions: [] as string[] }

describe('what is asked next', () => {
  test('nobody is known before the password', () => {
    expect(nextStage({ ...facts, known: false, requiredActions: ['UPDATE_PASSWORD'] })).toBe('password')
  })
  test('the second factor comes before anything that changes the account', () => {
    expect(nextStage({ ...facts, hasOtp: true, requiredActions: ['UPDATE_PASSWORD'] })).toBe('otp')
    expect(nextStage({ ...facts, hasOtp: true, otpPassed: true, requiredActions: ['UPDATE_PASSWORD'] })).toBe(
      'UPDATE_PASSWORD',
    )
  })
  test('actions come in their own order, unknown ones are left alone', () => {
    expect(nextStage({ ...facts, requiredActions: ['UPDATE_PROFILE', 'CONFIGURE_TOTP'] })).toBe('CONFIGURE_TOTP')
    expect(nextStage({ ...facts, requiredActions: ['VERIFY_EMAIL', 'UPDATE_PROFILE'] })).toBe('UPDATE_PROFILE')
    expect(nextStage({ ...facts, requiredActions: ['TERMS_AND_CONDITIONS'] })).toBe('done')
  })
  test('a form only counts at its own stage', () => {
    expect(fits('otp', 'otp')).toBe(true)
    expect(fits('otp', 'new-password')).toBe(false)
    expect(fits('password', null)).toBe(false)
  })
})
