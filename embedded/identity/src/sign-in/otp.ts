import { HOTP, Secret, TOTP } from 'otpauth'
import type { RealmSettings } from '../directory/realm-settings.ts'
import type { JsonObject } from '../http/exchange.ts'

/** Parameters of one-time codes that a device and this server share. */
export interface OtpTerms {
  subType: 'totp' | 'hotp'
  algorithm: string
  digits: number
  period: number
  counter: number
}

const hashName = (keycloakName: string) => keycloakName.replace(/^HmacSHA/, 'SHA')

export function termsOf(settings: RealmSettings): OtpTerms {
  return {
    subType: settings.otpPolicyType === 'hotp' ? 'hotp' : 'totp',
    algorithm: settings.otpPolicyAlgorithm,
    digits: settings.otpPolicyDigits,
    period: settings.otpPolicyPeriod,
    counter: settings.otpPolicyInitialCounter,
  }
}

export function readTerms(data: JsonObject, settings: RealmSettings): OtpTerms {
  return { ...termsOf(settings), ...(data as Partial<OtpTerms>) }
}

export const newOtpSecret = () => new Secret({ size: 20 }).base32

function engine(secret: string, terms: OtpTerms, issuer = '', label = '') {
  const base = {
    issuer,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: hashName(terms.algorithm),
    digits: terms.digits,
  }
  return terms.subType === 'hotp'
    ? { kind: 'hotp' as const, otp: new HOTP({ ...base, counter: terms.counter }) }
    : { kind: 'totp' as const, otp: new TOTP({ ...base, period: terms.period }) }
}

/** The address that authenticator apps open. */
export const otpAddress = (secret: string, terms: OtpTerms, issuer: string, label: string) =>
  engine(secret, terms, issuer, label).otp.toString()

/**
 * Tells whether the code is right. Gives the time step or counter it belongs to, so that the same code is not taken
 * twice.
 */
export function otpStep(
  secret: string,
  terms: OtpTerms,
  window: number,
  code: string,
  now: number,
): number | undefined {
  const token = code.replaceAll(' ', '')
  if (!/^\d+$/.test(token) || token.length !== terms.digits) return undefined
  const made = engine(secret, terms)
  if (made.kind === 'hotp') {
    const delta = made.otp.validate({ token, counter: terms.counter, window })
    // A counter only ever moves forward.
    return delta === null || delta < 0 ? undefined : terms.counter + delta
  }
  const delta = made.otp.validate({ token, timestamp: now, window })
  return delta === null ? undefined : Math.floor(now / 1000 / terms.period) + delta
}
