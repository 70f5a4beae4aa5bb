import type { Freeze, FreezeInput } from '@quayside/contract/spaces/endpoints'
import { sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Db } from '../../platform/db/db.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Tables } from './tables.ts'

interface FreezePorts {
  /** The name of a person of the realm; undefined when there is none of this id. */
  nameOf(realm: string, userId: string): Promise<string | undefined>
}

/** Times in which nothing is deployed in a space. One whose end has come counts as ended. */
export function createFreezes(db: Db, { nameOf }: FreezePorts) {
  async function named(realm: string, ids: readonly string[]) {
    const people = [...new Set(ids)].map(async (id) => {
      const name = await nameOf(realm, id)
      if (name === undefined) throw fail('iam.user-not-found', { field: 'exempt', details: { userId: id } })
      return { id, name }
    })
    return Promise.all(people)
  }

  return {
    /** Begins a freeze, or changes the one that there is. A reason stands under the name of whoever gave it. */
    async freeze({ tenantId, realm, username }: Actor, spaceId: string, input: FreezeInput): Promise<void> {
      const { reason, until } = input
      if (until !== null && Date.parse(until) <= Date.now())
        throw fail('request.invalid', { field: 'until', message: 'The end of a freeze must be in the future.' })
      const exempt = JSON.stringify(await named(realm, input.exempt))
      await db.tenant<Tables, void>(tenantId, async (trx) => {
        const space = await trx
          .selectFrom('spaces')
          .select('id')
          .where('id', '=', spaceId)
          .forKeyShare()
          .executeTakeFirst()
        if (!space) throw fail('space.not-found')
        // One that has ended is no freeze that could be changed.
        await trx
          .deleteFrom('space_freeze')
          .where('space_id', '=', spaceId)
          .where('until', '<=', sql<Date>`now()`)
          .execute()
        const end = until === null ? null : new Date(until)
        await trx
          .insertInto('space_freeze')
          .values({ space_id: spaceId, tenant_id: tenantId, reason, exempt, until: end, begun_by: username })
          .onConflict((conflict) =>
            conflict.column('space_id').doUpdateSet({
              ...{ reason, until: end, exempt: sql`excluded.exempt` },
              begun_by: sql<string>`case when space_freeze.reason = ${reason} then space_freeze.begun_by else ${username} end`,
            }),
          )
          .execute()
      })
    },

    async unfreeze({ tenantId }: Actor, spaceId: string): Promise<void> {
      await db.tenant<Tables, void>(tenantId, async (trx) => {
        await trx.deleteFrom('space_freeze').where('space_id', '=', spaceId).execute()
      })
    },

    /** Refuses somebody who is not exempt from the freeze of a space. */
    async mustNotBeFrozen({ tenantId, userId }: Pick<Actor, 'tenantId' | 'userId'>, spaceId: string): Promise<void> {
      const frozen = await db.tenantOne<
        Tables,
        (Pick<Freeze, 'reason' | 'exempt'> & { until: Date | null }) | undefined
      >(tenantId, (trx) =>
        trx
          .selectFrom('space_freeze')
          .select(['reason', 'until', 'exempt'])
          .where('space_id', '=', spaceId)
          .where((where) => where.or([where('until', 'is', null), where('until', '>', sql<Date>`now()`)]))
          .executeTakeFirst(),
      )
      if (!frozen || frozen.exempt.some(({ id }) => id === userId)) return
      const until = frozen.until?.toISOString() ?? null
      const end = until === null ? '' : ` until ${until.slice(0, 16).replace('T', ' ')} UTC`
      throw fail('space.frozen', {
        message: `Deployments in this space are frozen${end}: ${frozen.reason}`,
        details: { until, reason: frozen.reason },
      })
    },
  }
}
