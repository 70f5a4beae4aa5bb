import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Realm } from '../directory/realms.ts'
import type { User } from '../directory/users.ts'
import { formToken } from '../pages/form-token.ts'
import type { Db } from '../storage/database.ts'
import { type PasskeyKind, policyOf } from './policy.ts'
import { addPasskey, findPasskey, noteUse, type Passkey, passkeysOf } from './store.ts'

export interface Ceremony {
  db: Db
  realm: Realm
  issuer: string
  interaction: string
}

// Few people sign in this way, and the library is large: it is read when the first of them comes.
const library = () => import('@simplewebauthn/server')

/**
 * Text that a device has to sign: the same for one sign-in and nobody's guess. An answer is worth nothing afterwards, because a
 * sign-in ends once.
 */
const challengeOf = ({ realm, interaction }: Ceremony) => formToken(realm, `passkey:${interaction}`)

const ANSWER_LIMIT = 64 * 1024
const ZERO_AAGUID = '00000000-0000-0000-0000-000000000000'
const described = ({ data }: Passkey) => ({ id: data.credentialId, transports: data.transports })

/** Parameters for the browser to make a key with. */
export async function creationOptions(ceremony: Ceremony, user: User, kind: PasskeyKind) {
  const { db, realm, issuer } = ceremony
  const policy = policyOf(realm.settings, kind, issuer)
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: policy.rpName,
    rpID: policy.rpId,
    userName: user.username,
    userID: new TextEncoder().encode(user.id),
    userDisplayName: [user.first_name, user.last_name].filter(Boolean).join(' ') || user.username,
    challenge: new Uint8Array(Buffer.from(challengeOf(ceremony), 'base64url')),
    timeout: policy.timeoutMs,
    attestationType: 'none',
    excludeCredentials: (await passkeysOf(db, user.id, ['webauthn', 'webauthn-passwordless'])).map(described),
    authenticatorSelection: {
      residentKey: policy.residentKey,
      userVerification: policy.userVerification,
      ...(policy.attachment === undefined ? {} : { authenticatorAttachment: policy.attachment }),
    },
    supportedAlgorithmIDs: policy.algorithms,
  })
}

/** Parameters for the browser to use a key with: any passkey, or a security key of somebody who is known. */
export async function requestOptions(ceremony: Ceremony, user?: User) {
  const { db, realm, issuer } = ceremony
  const policy = policyOf(realm.settings, user ? 'webauthn' : 'webauthn-passwordless', issuer)
  const keys = user ? await passkeysOf(db, user.id, ['webauthn']) : []
  return {
    challenge: challengeOf(ceremony),
    rpId: policy.rpId,
    timeout: policy.timeoutMs,
    userVerification: policy.userVerification,
    allowCredentials: keys.map((key) => ({ ...described(key), type: 'public-key' })),
  }
}

/** Answer of the browser, as far as it is one. */
function parsed<Answer extends { id: string }>(text: string | null): Answer | undefined {
  if (!text || text.length > ANSWER_LIMIT) return undefined
  try {
    const answer = JSON.parse(text) as Answer | null
    return typeof answer?.id === 'string' && /^[\w-]{1,2000}$/.test(answer.id) ? answer : undefined
  } catch {
    return undefined
  }
}

/** Keeps the key that the device has made. Gives whether it is one to be trusted. */
export async function takeNewKey(
  ceremony: Ceremony,
  { user, kind, text, label }: { user: User; kind: PasskeyKind; text: string | null; label: string },
): Promise<boolean> {
  const { db, realm, issuer } = ceremony
  const response = parsed<RegistrationResponseJSON>(text)
  if (!response) return false
  const policy = policyOf(realm.settings, kind, issuer)
  const { verifyRegistrationResponse } = await library()
  const verdict = await verifyRegistrationResponse({
    response,
    expectedChallenge: challengeOf(ceremony),
    expectedOrigin: new URL(issuer).origin,
    expectedRPID: policy.rpId,
    requireUserVerification: policy.userVerification === 'required',
    supportedAlgorithmIDs: policy.algorithms,
  }).catch(() => undefined)
  if (!verdict?.verified) return false
  const { credential, aaguid } = verdict.registrationInfo
  if (policy.acceptableAaguids.length > 0 && !policy.acceptableAaguids.includes(aaguid || ZERO_AAGUID)) return false
  if (await findPasskey(db, realm.id, credential.id)) return false
  const data = {
    credentialId: credential.id,
    credentialPublicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    aaguid,
    transports: (credential.transports ?? []).map(String).slice(0, 10),
  }
  await addPasskey(db, { user_id: user.id, type: kind, data }, label)
  return true
}

/** Account and id of the key that an answer names, before anything of it is checked; to count attempts by. */
export async function namedKey({ db, realm }: Ceremony, text: string | null): Promise<{ id: string; userId?: string }> {
  const id = parsed<AuthenticationResponseJSON>(text)?.id ?? ''
  const key = id === '' ? undefined : await findPasskey(db, realm.id, id)
  return { id, ...(key ? { userId: key.user_id } : {}) }
}

/** The key that answered the challenge, and whether its device knew its owner by a code, a finger or a face. */
export async function checkKey(
  ceremony: Ceremony,
  text: string | null,
  kind: PasskeyKind,
): Promise<{ userId: string; userVerified: boolean } | undefined> {
  const { db, realm, issuer } = ceremony
  const response = parsed<AuthenticationResponseJSON>(text)
  if (!response) return undefined
  const key = await findPasskey(db, realm.id, response.id)
  if (key?.type !== kind) return undefined
  const policy = policyOf(realm.settings, kind, issuer)
  const { verifyAuthenticationResponse } = await library()
  const verdict = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challengeOf(ceremony),
    expectedOrigin: new URL(issuer).origin,
    expectedRPID: policy.rpId,
    requireUserVerification: policy.userVerification === 'required',
    credential: {
      id: key.data.credentialId,
      publicKey: new Uint8Array(Buffer.from(key.data.credentialPublicKey, 'base64url')),
      counter: key.data.counter,
    },
  }).catch(() => undefined)
  if (!verdict?.verified) return undefined
  const { newCounter, userVerified } = verdict.authenticationInfo
  await noteUse(db, key.id, newCounter)
  return { userId: key.user_id, userVerified }
}
