import type { OtpPolicy } from '@quayside/contract/realms/endpoints'
import { limitsOfSettings as limits } from '@quayside/contract/realms/limits'
import type { Setting } from './setting.ts'

const whenMore = (sentence: string) => (next: number, before: number) => (next > before ? sentence : undefined)

/** Codes of authenticator apps, for devices that are set up from now on. */
export const otpTable: readonly Setting<OtpPolicy>[] = [
  {
    ...{ kind: 'choice', key: 'otpPolicyType', label: 'Codes change', safe: 'totp' },
    options: [
      { value: 'totp', label: 'with the time' },
      { value: 'hotp', label: 'each time one is used' },
    ],
    means: 'A time-based code is useless a moment later to anyone who has seen it.',
    warns: (next: string) => (next === 'hotp' ? 'An unused code stays valid until a later one is used.' : undefined),
  },
  {
    ...{ kind: 'number', key: 'otpPolicyPeriod', label: 'A code is valid for', unit: 'seconds', safe: 30 },
    limits: limits.otpPolicyPeriod,
    means: 'Most authenticator apps support only 30 seconds.',
    shown: ({ otpPolicyType }) => otpPolicyType === 'totp',
    warns: whenMore('A code that somebody has seen can be used for longer.'),
  },
  {
    ...{ kind: 'number', key: 'otpPolicyInitialCounter', label: 'First number', safe: 0 },
    limits: limits.otpPolicyInitialCounter,
    means: 'The number at which a new device starts counting its codes.',
    shown: ({ otpPolicyType }) => otpPolicyType === 'hotp',
  },
  {
    ...{ kind: 'choice', key: 'otpPolicyDigits', label: 'Digits', safe: 6 },
    options: [
      { value: 6, label: '6' },
      { value: 8, label: '8' },
    ],
    means: 'Eight digits are harder to guess, but some authenticator apps show only six.',
    warns: (next: number, before: number) => (next < before ? 'Shorter codes are easier to guess.' : undefined),
  },
  {
    ...{ kind: 'choice', key: 'otpPolicyAlgorithm', label: 'Hash', safe: 'HmacSHA1' },
    options: [
      { value: 'HmacSHA1', label: 'SHA-1, supported by every app' },
      { value: 'HmacSHA256', label: 'SHA-256' },
      { value: 'HmacSHA512', label: 'SHA-512' },
    ],
    means:
      'All three are safe for codes. Some authenticator apps always use SHA-1 and would show wrong codes with the others.',
  },
  {
    ...{ kind: 'number', key: 'otpPolicyLookAheadWindow', label: 'Tolerated codes', safe: 1 },
    limits: limits.otpPolicyLookAheadWindow,
    means: 'How many neighbouring codes are also accepted, for devices whose clock or counter is slightly off.',
    warns: whenMore('More codes are valid at the same time, so a code is easier to guess.'),
  },
  {
    ...{ kind: 'switch', key: 'otpPolicyCodeReusable', label: 'A code works more than once', safe: false },
    means: 'When off, a code works only once.',
    warns: (next: boolean) => (next ? 'Anyone who has seen a code being typed can use it too.' : undefined),
  },
]
