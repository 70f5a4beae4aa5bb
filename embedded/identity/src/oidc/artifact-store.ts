import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider'
import { notEnded, wasEndedSince } from '../directory/sessions.ts'
import { clientAddress } from '../http/client-address.ts'
import type { Db } from '../storage/database.ts'
import { digestOf } from '../storage/encryption.ts'

interface Row {
  id: string
  sealed: string
  consumed_at: Date | null
}

/** Models whose ids are no secrets: they are in tokens, or nobody gets anything for them. */
const openIds: readonly string[] = ['Grant']

/** The id under which something is kept; who has only the table cannot use what it stands for. */
export const keptId = (model: string, id: string): string => (openIds.includes(model) ? id : digestOf(id))
const placeOf = (model: string, kept: string) => `${model}:${kept}`

/** Fields that SQL queries use; the rest of a payload is encrypted. */
const readable = ['authorizations', 'loginTs', 'clientId', 'accountId', 'exp', 'iat', 'scope'] as const

/** A payload as it is kept: some fields to look for, and the whole of it encrypted. */
export function keptPayload(db: Pick<Db, 'encryption'>, model: string, kept: string, payload: AdapterPayload) {
  const shown = Object.fromEntries(readable.flatMap((key) => (key in payload ? [[key, payload[key]]] : [])))
  return { shown: JSON.stringify(shown), sealed: db.encryption.encrypt(placeOf(model, kept), JSON.stringify(payload)) }
}

interface ArtifactStoreOptions {
  db: Db
  realmId: string
  /** After how many seconds without use a single sign-on session is over. */
  sessionIdle: () => number
  findClient: (clientId: string) => Promise<AdapterPayload | undefined>
}

function device(): { ip: string | null; agent: string | null } {
  const ctx = Provider.ctx
  return { ip: ctx ? clientAddress(ctx.req) : null, agent: ctx?.req.headers['user-agent']?.slice(0, 400) ?? null }
}

/** Keeps codes, grants, sessions and refresh tokens of one realm in PostgreSQL. */
export function artifactStore(model: string, options: ArtifactStoreOptions): Adapter {
  const { db, realmId } = options
  const isSession = model === 'Session'

  const read = async (column: 'id' | 'uid', value: string) => {
    const row = await db.row<Row>(
      `select id, sealed, consumed_at from oidc_artifact s
       where realm_id = $1 and model = $2 and ${column} = $3 and (expires_at is null or expires_at > now())
         and (not $4 or (used_at > now() - make_interval(secs => $5) and ${notEnded}))`,
      [realmId, model, value, isSession, options.sessionIdle()],
    )
    if (!row) return undefined
    const payload = JSON.parse(db.encryption.decrypt(placeOf(model, row.id), row.sealed)) as AdapterPayload
    // Somebody whose sessions ended after they had given their password has to give it again.
    const { accountId, since } = (payload.result?.login ?? {}) as { accountId?: string; since?: number }
    if (accountId !== undefined && since !== undefined && (await wasEndedSince(db, accountId, since))) return undefined
    return { ...payload, ...(row.consumed_at ? { consumed: Math.floor(row.consumed_at.getTime() / 1000) } : {}) }
  }

  return {
    async upsert(id, payload, expiresIn) {
      const { ip, agent } = device()
      const kept = keptId(model, id)
      const { shown, sealed } = keptPayload(db, model, kept, payload)
      await db.run(
        `insert into oidc_artifact (realm_id, model, id, payload, grant_id, uid, account_id, ip_address, user_agent, expires_at, sealed)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10), $11)
         on conflict (realm_id, model, id) do update set payload = $4, sealed = $11, grant_id = $5, uid = $6, account_id = $7,
           ip_address = coalesce($8, oidc_artifact.ip_address), used_at = now(), expires_at = excluded.expires_at`,
        [
          realmId,
          model,
          kept,
          shown,
          payload.grantId ?? null,
          // A code that is typed on another device is looked for as well.
          payload.userCode === undefined ? (payload.uid ?? null) : digestOf(payload.userCode),
          payload.accountId ?? null,
          ip,
          agent,
          expiresIn ?? null,
          sealed,
        ],
      )
    },
    find: (id) => (model === 'Client' ? options.findClient(id) : read('id', keptId(model, id))),
    findByUid: (uid) => read('uid', uid),
    findByUserCode: (userCode) => read('uid', digestOf(userCode)),
    async consume(id) {
      const taken = await db.run(
        'update oidc_artifact set consumed_at = now() where realm_id = $1 and model = $2 and id = $3 and consumed_at is null',
        [realmId, model, keptId(model, id)],
      )
      if (taken > 0) return
      // Two came at the same time with what works once: one of them has stolen it, so neither gets anything for it.
      await db.run(
        `delete from oidc_artifact a using oidc_artifact used
         where used.realm_id = $1 and used.model = $2 and used.id = $3 and a.realm_id = $1
           and (a.grant_id = used.grant_id or (a.model = 'Grant' and a.id = used.grant_id))`,
        [realmId, model, keptId(model, id)],
      )
      throw new errors.InvalidGrant('already used')
    },
    async destroy(id) {
      await db.run('delete from oidc_artifact where realm_id = $1 and model = $2 and id = $3', [
        realmId,
        model,
        keptId(model, id),
      ])
    },
    async revokeByGrantId(grantId) {
      await db.run('delete from oidc_artifact where realm_id = $1 and model = $2 and grant_id = $3', [
        realmId,
        model,
        grantId,
      ])
    },
  }
}
