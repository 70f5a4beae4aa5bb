import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Db } from '../storage/database.ts'

/** Gives a realm a fresh RSA key for signing; the newest one signs, older ones stay published. */
export async function createSigningKey(db: Db, realmId: string): Promise<void> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  await db.run('insert into signing_key (kid, realm_id, private_jwk) values ($1, $2, $3)', [
    kid,
    realmId,
    JSON.stringify({ ...jwk, kid, alg: 'RS256', use: 'sig' }),
  ])
}

export async function signingKeys(db: Db, realmId: string): Promise<JWK[]> {
  const rows = await db.rows<{ private_jwk: JWK }>(
    'select private_jwk from signing_key where realm_id = $1 order by created_at desc',
    [realmId],
  )
  return rows.map((row) => row.private_jwk)
}
