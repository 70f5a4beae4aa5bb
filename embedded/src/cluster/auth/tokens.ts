import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'
import type { KubeObject, ObjectStore } from '../object-store.ts'
import { docOf, textOf } from '../store/doc.ts'
import { ADMIN, type Identity, serviceAccountGroups, serviceAccountUser } from './identity.ts'

export const ISSUER = 'https://kubernetes.default.svc.cluster.local'
const ALGORITHM = 'ES256'
const CACHE_SIZE = 2000

/** What a token is made for. */
export interface TokenGrant {
  account: KubeObject
  audiences: readonly string[]
  lifetimeSeconds: number
  /** The object the token dies with. */
  bound?: { kind: string; name: string; uid: string }
}

export interface IssuedToken {
  token: string
  expiresAt: Date
}

/** Makes and reads the bearer tokens of this cluster. */
export interface TokenAuthority {
  readonly adminToken: string
  issue(grant: TokenGrant): Promise<IssuedToken>
  /** Whose token it is; undefined when it is nobody's, expired, or its account is gone. */
  identify(token: string, audiences?: readonly string[]): Promise<Identity | undefined>
  /** The public key in the form of a JSON web key set. */
  keySet(): { keys: JWK[] }
}

interface Keys {
  signing: CryptoKey | Uint8Array
  verifying: CryptoKey | Uint8Array
  publicJwk: JWK
}

async function loadKeys(folder: string): Promise<Keys> {
  const path = join(folder, 'service-account.key')
  if (!existsSync(path)) {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
    writeFileSync(path, JSON.stringify({ ...(await exportJWK(privateKey)), kid: randomUUID() }), { mode: 0o600 })
  }
  const jwk = JSON.parse(readFileSync(path, 'utf8')) as JWK
  const publicJwk: JWK = { kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y, kid: jwk.kid, alg: ALGORITHM, use: 'sig' }
  return {
    signing: await importJWK(jwk, ALGORITHM),
    verifying: await importJWK(publicJwk, ALGORITHM),
    publicJwk,
  }
}

function loadAdminToken(folder: string): string {
  const path = join(folder, 'admin.token')
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600 })
  return readFileSync(path, 'utf8').trim()
}

function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

const BOUND_RESOURCES = { pod: '/pods', secret: '/secrets', node: '/nodes' } as const

/** The account a verified token speaks for, provided that it and what the token is bound to still exist. */
function accountOf(store: ObjectStore, payload: JWTPayload): Identity | undefined {
  const claims = docOf(payload['kubernetes.io'])
  const namespace = textOf(claims.namespace)
  const account = docOf(claims.serviceaccount)
  const name = textOf(account.name)
  const found = store.get('/serviceaccounts', namespace, name)
  if (!found || found.metadata.uid !== account.uid) return undefined
  for (const [kind, resource] of Object.entries(BOUND_RESOURCES)) {
    const bound = docOf(claims[kind])
    if (!bound.name) continue
    const target = store.get(resource, resource === '/nodes' ? undefined : namespace, textOf(bound.name))
    if (!target || (bound.uid && target.metadata.uid !== bound.uid)) return undefined
  }
  return {
    user: serviceAccountUser(namespace, name),
    uid: found.metadata.uid,
    groups: serviceAccountGroups(namespace),
    extra: payload.jti ? { 'authentication.kubernetes.io/credential-id': [`JTI=${payload.jti}`] } : {},
  }
}

export async function createTokenAuthority(folder: string, store: ObjectStore): Promise<TokenAuthority> {
  const { signing, verifying, publicJwk } = await loadKeys(folder)
  const adminToken = loadAdminToken(folder)
  /** Checking a signature costs more than most requests; a token that passed once is only checked for its time. */
  const verified = new Map<string, JWTPayload>()

  async function payloadOf(token: string): Promise<JWTPayload | undefined> {
    const known = verified.get(token)
    if (known) return (known.exp ?? Number.MAX_SAFE_INTEGER) * 1000 > Date.now() ? known : undefined
    try {
      const { payload } = await jwtVerify(token, verifying, { issuer: ISSUER, algorithms: [ALGORITHM] })
      if (verified.size >= CACHE_SIZE) verified.clear()
      verified.set(token, payload)
      return payload
    } catch {
      // Whatever is wrong with a token, its bearer is nobody.
      return undefined
    }
  }

  return {
    adminToken,
    async issue({ account, audiences, lifetimeSeconds, bound }) {
      const { namespace = '', name, uid } = account.metadata
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        namespace,
        serviceaccount: { name, uid },
        ...(bound ? { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } } : {}),
      }
      const token = await new SignJWT({ 'kubernetes.io': claims })
        .setProtectedHeader({ alg: ALGORITHM, kid: publicJwk.kid })
        .setIssuer(ISSUER)
        .setSubject(serviceAccountUser(namespace, name))
        .setAudience([...audiences])
        .setIssuedAt(now)
        .setNotBefore(now)
        .setExpirationTime(now + lifetimeSeconds)
        .setJti(randomUUID())
        .sign(signing)
      return { token, expiresAt: new Date((now + lifetimeSeconds) * 1000) }
    },
    async identify(token, audiences = [ISSUER]) {
      if (sameText(token, adminToken)) return ADMIN
      const payload = await payloadOf(token)
      const meant = [payload?.aud ?? []].flat()
      return payload && audiences.some((audience) => meant.includes(audience)) ? accountOf(store, payload) : undefined
    },
    keySet: () => ({ keys: [publicJwk] }),
  }
}
