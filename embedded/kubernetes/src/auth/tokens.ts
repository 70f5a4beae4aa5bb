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
import type { Clock } from '../clock.ts'
import type { KubeObject, ObjectStore } from '../object-store.ts'
import { ADMIN, type Identity, serviceAccountUser } from './identity.ts'
import { SECRET_TOKEN_ISSUER, tokenHolders } from './token-holder.ts'

export const ISSUER = 'https://kubernetes.default.svc.cluster.local'
const ALGORITHM = 'ES256'
const CACHE_SIZE = 2000

/** Contents of a service account token that is to be signed. */
export interface TokenGrant {
  account: KubeObject
  audiences: readonly string[]
  lifetimeSeconds: number
  /** The age at which its bearer should have a new one, where that is before its end. */
  warnAfterSeconds?: number
  /** The object that the token dies with, and the node of a pod. */
  bound?: Partial<Record<'pod' | 'secret' | 'node', { name: string; uid?: string }>>
}

/** The bearer of a token; without an identity it is nobody, for a reason when the token is one of this cluster. */
interface Bearer {
  identity?: Identity
  /** Those that were asked for and that the token is meant for. */
  audiences?: string[]
  problem?: string
}

/** Makes and reads the bearer tokens of this cluster. */
export interface TokenAuthority {
  readonly adminToken: string
  issue(grant: TokenGrant): Promise<string>
  identify(token: string, audiences?: readonly string[]): Promise<Bearer>
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

/** The audiences of a token that are asked for; a token of a Secret is for the API alone. */
function sharedAudiences({ aud, iss }: JWTPayload, audiences: readonly string[]): string[] {
  const meant = iss === SECRET_TOKEN_ISSUER ? [ISSUER] : [aud ?? []].flat()
  return meant.filter((audience) => audiences.includes(audience))
}

export async function createTokenAuthority(folder: string, store: ObjectStore, clock: Clock): Promise<TokenAuthority> {
  const holderOf = tokenHolders(store, clock)
  const { signing, verifying, publicJwk } = await loadKeys(folder)
  const adminToken = loadAdminToken(folder)
  /** Checking a signature costs more than most requests; a token that passed once is only checked for its time. */
  const verified = new Map<string, JWTPayload>()

  async function payloadOf(token: string): Promise<JWTPayload | undefined> {
    const known = verified.get(token)
    if (known) return (known.exp ?? Number.MAX_SAFE_INTEGER) * 1000 > Date.now() ? known : undefined
    try {
      const issuer = [ISSUER, SECRET_TOKEN_ISSUER]
      const { payload } = await jwtVerify(token, verifying, { issuer, algorithms: [ALGORITHM] })
      if (verified.size >= CACHE_SIZE) verified.clear()
      verified.set(token, payload)
      return payload
    } catch {
      // Every fault of a token has the same outcome: the caller is anonymous.
      return undefined
    }
  }

  return {
    adminToken,
    async issue({ account, audiences, lifetimeSeconds, warnAfterSeconds, bound }) {
      const { namespace = '', name, uid } = account.metadata
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        namespace,
        serviceaccount: { name, uid },
        ...bound,
        ...(warnAfterSeconds === undefined ? {} : { warnafter: now + warnAfterSeconds }),
      }
      return new SignJWT({ 'kubernetes.io': claims })
        .setProtectedHeader({ alg: ALGORITHM, kid: publicJwk.kid })
        .setIssuer(ISSUER)
        .setSubject(serviceAccountUser(namespace, name))
        .setAudience([...audiences])
        .setIssuedAt(now)
        .setNotBefore(now)
        .setExpirationTime(now + lifetimeSeconds)
        .setJti(randomUUID())
        .sign(signing)
    },
    async identify(token, audiences = [ISSUER]) {
      if (sameText(token, adminToken)) return { identity: ADMIN, audiences: [...audiences] }
      const payload = await payloadOf(token)
      if (!payload) return {}
      const shared = sharedAudiences(payload, audiences)
      if (shared.length === 0) {
        const [meant, wanted] = [[payload.aud ?? []].flat(), audiences].map((list) => JSON.stringify(list))
        return { problem: `token audiences ${meant} is invalid for the target audiences ${wanted}` }
      }
      const holder = holderOf(token, payload)
      return 'problem' in holder ? holder : { ...holder, audiences: shared }
    },
    keySet: () => ({ keys: [publicJwk] }),
  }
}
