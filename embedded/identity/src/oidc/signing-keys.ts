import { randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Db } from '../storage/database.ts'

const placeOf = (kid: string) => `signing_key:${kid}`

/** Public part of a key, as a JWK. */
export const publicPartOf = ({ kty, n, e, kid }: JWK): JWK => ({ kty, n, e, kid, alg: 'RS256', use: 'sig' })

/** Gives a realm a fresh RSA key for signing; the newest one signs, older ones stay published. */
export async function createSigningKey(db: Db, realmId: string): Promise<void> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  const whole = { ...jwk, kid, alg: 'RS256', use: 'sig' }
  await db.run('insert into signing_key (kid, realm_id, public_jwk, sealed) values ($1, $2, $3, $4)', [
    kid,
    realmId,
    JSON.stringify(publicPartOf(whole)),
    db.encryption.encrypt(placeOf(kid), JSON.stringify(whole)),
  ])
}

interface KeyRow {
  kid: string
  sealed: string
}

export async function signingKeys(db: Db, realmId: string): Promise<JWK[]> {
  const rows = await db.rows<KeyRow>(
    'select kid, sealed from signing_key where realm_id = $1 order by created_at desc',
    [realmId],
  )
  return rows.map(({ kid, sealed }) => JSON.parse(db.encryption.decrypt(placeOf(kid), sealed)) as JWK)
}

/** The published keys as the Admin API lists them. */
export async function listKeys(db: Db, realmId: string) {
  const rows = await db.rows<{ kid: string }>(
    'select kid from signing_key where realm_id = $1 order by created_at desc',
    [realmId],
  )
  return {
    active: { RS256: rows[0]?.kid },
    keys: rows.map(({ kid }) => ({
      providerId: randomUUID(),
      kid,
      status: 'ACTIVE',
      type: 'RSA',
      algorithm: 'RS256',
      use: 'SIG',
    })),
  }
}
