import type { RealmSettings } from '../directory/realm-settings.ts'
import { badRequest } from '../http/problem.ts'

/** Passkeys take the place of a password, security keys come after it; Keycloak keeps a policy for each. */
export type PasskeyKind = 'webauthn-passwordless' | 'webauthn'

interface PasskeyPolicy {
  rpName: string
  rpId: string
  attachment?: 'platform' | 'cross-platform'
  residentKey: 'required' | 'discouraged' | 'preferred'
  userVerification: 'required' | 'preferred' | 'discouraged'
  /** Keys of COSE algorithms that a key may use. */
  algorithms: number[]
  timeoutMs: number
  acceptableAaguids: readonly string[]
}

const UNSET = 'not specified'
const algorithmIds: Readonly<Record<string, number>> = { ES256: -7, RS256: -257, Ed25519: -8 }

const choices: Readonly<Record<string, readonly string[]>> = {
  AuthenticatorAttachment: [UNSET, 'platform', 'cross-platform'],
  RequireResidentKey: [UNSET, 'Yes', 'No'],
  UserVerificationRequirement: [UNSET, 'required', 'preferred', 'discouraged'],
  // The server looks at the key and not at who made its device.
  AttestationConveyancePreference: [UNSET, 'none'],
}

const defaultsOf = (prefix: string, isPasskey: boolean): Record<string, unknown> => ({
  [`${prefix}RpEntityName`]: 'Quayside',
  [`${prefix}SignatureAlgorithms`]: ['ES256', 'RS256'],
  [`${prefix}RpId`]: '',
  [`${prefix}AttestationConveyancePreference`]: UNSET,
  [`${prefix}AuthenticatorAttachment`]: UNSET,
  [`${prefix}RequireResidentKey`]: isPasskey ? 'Yes' : UNSET,
  [`${prefix}UserVerificationRequirement`]: isPasskey ? 'required' : UNSET,
  [`${prefix}CreateTimeout`]: 0,
  [`${prefix}AvoidSameAuthenticatorRegister`]: true,
  [`${prefix}AcceptableAaguids`]: [],
})

const KEYS = 'webAuthnPolicy'
const PASSKEYS = 'webAuthnPolicyPasswordless'

/** Settings of a realm about passkeys and security keys, as they are at first. */
export const passkeyDefaults: Record<string, unknown> = {
  ...defaultsOf(KEYS, false),
  ...defaultsOf(PASSKEYS, true),
  [`${PASSKEYS}PasskeysEnabled`]: true,
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 100 && value.every((entry) => typeof entry === 'string')

function checkList(setting: string, key: string, value: unknown): void {
  if (!isTextList(value)) throw badRequest(`${key} must be a list of texts`)
  if (setting !== 'SignatureAlgorithms') return
  const unknown = value.find((name) => algorithmIds[name] === undefined)
  if (unknown !== undefined || value.length === 0)
    throw badRequest(`${key} must be out of ${Object.keys(algorithmIds).join(', ')}`)
}

/** @throws Problem 400 with the name of a setting that this server cannot obey */
export function checkPasskeySetting(key: string, value: unknown): void {
  const setting = key.startsWith(PASSKEYS) ? key.slice(PASSKEYS.length) : key.slice(KEYS.length)
  const offered = choices[setting]
  if (offered && !offered.includes(String(value))) throw badRequest(`${key} must be ${offered.join(' or ')}`)
  if (Array.isArray(passkeyDefaults[key])) checkList(setting, key, value)
  if (setting === 'AvoidSameAuthenticatorRegister' && value !== true)
    throw badRequest(`${key} must be true: this identity server takes each device once`)
  if (setting === 'RpId' && !/^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*)?$/.test(String(value)))
    throw badRequest(`${key} must be the name of a host, or empty for the one of this server`)
  if (setting === 'RpEntityName' && (typeof value !== 'string' || value === '' || value.length > 255))
    throw badRequest(`${key} must be a text of 1 to 255 characters`)
}

export function policyOf(settings: RealmSettings, kind: PasskeyKind, issuer: string): PasskeyPolicy {
  const prefix = kind === 'webauthn' ? KEYS : PASSKEYS
  const read = (name: string) => settings[`${prefix}${name}`] ?? passkeyDefaults[`${prefix}${name}`]
  const text = (name: string) => (read(name) === UNSET ? undefined : String(read(name)))
  const resident = text('RequireResidentKey')
  const seconds = Number(read('CreateTimeout'))
  return {
    rpName: String(read('RpEntityName')),
    rpId: String(read('RpId')) || new URL(issuer).hostname,
    attachment: text('AuthenticatorAttachment') as PasskeyPolicy['attachment'],
    residentKey: resident === 'Yes' ? 'required' : resident === 'No' ? 'discouraged' : 'preferred',
    userVerification: (text('UserVerificationRequirement') ?? 'preferred') as PasskeyPolicy['userVerification'],
    algorithms: (read('SignatureAlgorithms') as string[]).flatMap((name) => algorithmIds[name] ?? []),
    timeoutMs: (seconds > 0 ? Math.min(seconds, 3_600) : 300) * 1000,
    acceptableAaguids: read('AcceptableAaguids') as string[],
  }
}

export const passkeysEnabled = (settings: RealmSettings) => settings[`${PASSKEYS}PasskeysEnabled`] !== false
