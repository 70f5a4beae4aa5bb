import type { JWK } from 'jose'
import type { AdapterPayload } from 'oidc-provider'
import { keptId, keptPayload } from '../oidc/artifact-store.ts'
import { publicPartOf } from '../oidc/signing-keys.ts'
import type { Db } from './database.ts'
import { digestOf } from './encryption.ts'

/** Tables that held secrets in clear; their old rows stay in the files until these are written anew. */
export const tablesOnceInClear = ['realm', 'signing_key', 'client', 'credential', 'sign_in', 'oidc_artifact']

interface Artifact {
  realm_id: string
  model: string
  id: string
  payload: AdapterPayload
}

/** Encrypts keys, secrets of clients and of second factors, and what people are signed in with; tokens go on working. */
export async function encryptClearRows(db: Db): Promise<void> {
  const { encryption } = db
  for (const { id, cookie_secret } of await db.rows<{ id: string; cookie_secret: string }>(
    'select id, cookie_secret from realm',
  ))
    await db.run('update realm set cookie_secret = $2 where id = $1', [
      id,
      encryption.encrypt(`realm:${id}`, cookie_secret),
    ])

  await db.run('alter table signing_key add column public_jwk jsonb, add column sealed text')
  for (const { kid, private_jwk } of await db.rows<{ kid: string; private_jwk: JWK }>(
    'select kid, private_jwk from signing_key',
  )) {
    const sealed = encryption.encrypt(`signing_key:${kid}`, JSON.stringify(private_jwk))
    const shown = JSON.stringify(publicPartOf(private_jwk))
    await db.run('update signing_key set public_jwk = $2, sealed = $3 where kid = $1', [kid, shown, sealed])
  }
  await db.run(
    `alter table signing_key drop column private_jwk, alter column public_jwk set not null, alter column sealed set not null`,
  )

  for (const { id, secret } of await db.rows<{ id: string; secret: string }>(
    'select id, secret from client where secret is not null',
  ))
    await db.run('update client set secret = $2 where id = $1', [id, encryption.encrypt(`client:${id}`, secret)])

  for (const { id, secret } of await db.rows<{ id: string; secret: string }>(
    "select id, secret from credential where type = 'otp'",
  ))
    await db.run('update credential set secret = $2 where id = $1', [
      id,
      encryption.encrypt(`credential:${id}`, secret),
    ])

  for (const { interaction, pending_secret } of await db.rows<{ interaction: string; pending_secret: string | null }>(
    'select interaction, pending_secret from sign_in',
  )) {
    const kept = digestOf(interaction)
    const sealed = pending_secret === null ? null : encryption.encrypt(`sign_in:${kept}`, pending_secret)
    await db.run('update sign_in set interaction = $2, pending_secret = $3 where interaction = $1', [
      interaction,
      kept,
      sealed,
    ])
  }

  await db.run('alter table oidc_artifact add column sealed text')
  for (const { realm_id, model, id, payload } of await db.rows<Artifact>(
    'select realm_id, model, id, payload from oidc_artifact',
  )) {
    const kept = keptId(model, id)
    // A ticket says which permissions it stands for, and nothing that its table must hide.
    const isTicket = model === 'PermissionTicket'
    const { shown, sealed } = keptPayload(db, model, kept, payload)
    await db.run(
      'update oidc_artifact set id = $4, payload = $5, sealed = $6 where realm_id = $1 and model = $2 and id = $3',
      [realm_id, model, id, kept, isTicket ? JSON.stringify(payload) : shown, isTicket ? null : sealed],
    )
  }
}
