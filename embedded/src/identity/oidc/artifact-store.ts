import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider'
import { clientAddress } from '../http/exchange.ts'
import type { Db } from '../storage/database.ts'

interface Row {
  payload: AdapterPayload
  consumed_at: Date | null
}

export interface ArtifactStoreOptions {
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
      `select payload, consumed_at from oidc_artifact
       where realm_id = $1 and model = $2 and ${column} = $3 and (expires_at is null or expires_at > now())
         and (not $4 or used_at > now() - make_interval(secs => $5))`,
      [realmId, model, value, isSession, options.sessionIdle()],
    )
    if (!row) return undefined
    return { ...row.payload, ...(row.consumed_at ? { consumed: Math.floor(row.consumed_at.getTime() / 1000) } : {}) }
  }

  return {
    async upsert(id, payload, expiresIn) {
      const { ip, agent } = device()
      await db.run(
        `insert into oidc_artifact (realm_id, model, id, payload, grant_id, uid, account_id, ip_address, user_agent, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10))
         on conflict (realm_id, model, id) do update set payload = $4, grant_id = $5, uid = $6, account_id = $7,
           ip_address = coalesce($8, oidc_artifact.ip_address), used_at = now(), expires_at = excluded.expires_at`,
        [
          realmId,
          model,
          id,
          JSON.stringify(payload),
          payload.grantId ?? null,
          payload.uid ?? null,
          payload.accountId ?? null,
          ip,
          agent,
          expiresIn ?? null,
        ],
      )
    },
    find: (id) => (model === 'Client' ? options.findClient(id) : read('id', id)),
    findByUid: (uid) => read('uid', uid),
    // Codes typed on another device are a grant that is not offered here.
    findByUserCode: () => Promise.resolve(undefined),
    async consume(id) {
      const taken = await db.run(
        'update oidc_artifact set consumed_at = now() where realm_id = $1 and model = $2 and id = $3 and consumed_at is null',
        [realmId, model, id],
      )
      if (taken === 0) throw new errors.InvalidGrant('already used')
    },
    async destroy(id) {
      await db.run('delete from oidc_artifact where realm_id = $1 and model = $2 and id = $3', [realmId, model, id])
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
