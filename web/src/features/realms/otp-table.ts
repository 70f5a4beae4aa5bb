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
    means: 'With the time, a code that somebody has seen is worth nothing a moment later.',
    warns: (next: string) => (next === 'hotp' ? 'A code that was not used counts until a later one is.' : undefined),
  },
  {
    ...{ kind: 'number', key: 'otpPolicyPeriod', label: 'A code counts for', unit: 'seconds', safe: 30 },
    limits: limits.otpPolicyPeriod,
    means: 'Most authenticator apps know 30 seconds alone.',
    shown: ({ otpPolicyType }) => otpPolicyType === 'totp',
    warns: whenMore('A code that somebody has seen can be used for longer.'),
  },
  {
    ...{ kind: 'number', key: 'otpPolicyInitialCounter', label: 'First number', safe: 0 },
    limits: limits.otpPolicyInitialCounter,
    means: 'The number from which a new device counts its codes.',
    shown: ({ otpPolicyType }) => otpPolicyType === 'hotp',
  },
  {
    ...{ kind: 'choice', key: 'otpPolicyDigits', label: 'Digits', safe: 6 },
    options: [
      { value: 6, label: '6' },
      { value: 8, label: '8' },
    ],
    means: 'Eight are harder to guess; some authenticator apps show six alone.',
    warns: (next: number, before: number) => (next < before ? 'Shorter codes are easier to guess.' : undefined),
  },
  {
    ...{ kind: 'choice', key: 'otpPolicyAlgorithm', label: 'Hash', safe: 'HmacSHA1' },
    options: [
      { value: 'HmacSHA1', label: 'SHA-1, which every app knows' },
      { value: 'HmacSHA256', label: 'SHA-256' },
      { value: 'HmacSHA512', label: 'SHA-512' },
    ],
    means: 'All three are safe for codes. Some authenticator apps take the others for SHA-1, and show wrong codes.',
  },
  {
    ...{ kind: 'number', key: 'otpPolicyLookAheadWindow', label: 'Codes before and after', safe: 1 },
    limits: limits.otpPolicyLookAheadWindow,
    means: 'As many further codes are right, for devices whose clock or count is a little off.',
    warns: whenMore('More codes are right at the same time, so one is guessed sooner.'),
  },
  {
    ...{ kind: 'switch', key: 'otpPolicyCodeReusable', label: 'A code works more than once', safe: false },
    means: 'Off: a code that was used is worth nothing any more.',
    warns: (next: boolean) => (next ? 'Who has seen a code being typed can use it as well.' : undefined),
  },
]
