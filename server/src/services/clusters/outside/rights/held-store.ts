import { type AskedRight, usualRight, withoutRepeats } from '@quayside/contract/clusters/asked-right'
import { type SqlBool, sql, type Transaction } from 'kysely'
import type { Db } from '../../../../platform/db/db.ts'
import { storedJson } from '../../../../platform/db/stored-json.ts'
import type { ReleaseRef } from '../../releases/release-ref.ts'
import type { ActionRightsRow, HeldRow, OutsideTables } from '../tables.ts'

type Tables = OutsideTables
const rbac = 'rbac.authorization.k8s.io'

/** An object that a release may hold from now on; the rights that it asks for as JSON. */
export type ToHold = Omit<HeldRow, 'since' | 'is_gone' | 'asks_for'> & { asks_for: string | null }

/** The object of a record, as its key names it. */
export const placeOfRow = ({ api_group, kind, object_namespace, name }: HeldRow) => ({
  ...{ group: api_group, kind, name },
  namespace: object_namespace || null,
})

/** Records of the objects that releases hold outside of their spaces, and of the temporary rights of actions there. */
export function createHeldStore(db: Db) {
  return {
    ...createHoldings(db),

    ...createElevation(db),

    ...createActionRightsStore(db),

    ...createLocks(db),

    ...createSightings(db),
  }
}

/** Objects that one release, or all releases of a cluster, hold outside of their spaces. */
function createHoldings(db: Db) {
  const ofRelease = (trx: Transaction<Tables>, { clusterId, namespace, releaseName }: ReleaseRef) =>
    trx
      .selectFrom('held_outside')
      .selectAll()
      .where('cluster_id', '=', clusterId)
      .where('namespace', '=', namespace)
      .where('release_name', '=', releaseName)

  /** Objects that a release holds, and those of them that somebody has deleted since. */
  function everHeld(place: ReleaseRef): Promise<HeldRow[]> {
    return db.tenantOne<Tables, HeldRow[]>(place.tenantId, (trx) => ofRelease(trx, place).execute())
  }

  function allHeld(clusterId: string): Promise<HeldRow[]> {
    return db.platformOne<Tables, HeldRow[]>((trx) =>
      trx.selectFrom('held_outside').selectAll().where('cluster_id', '=', clusterId).execute(),
    )
  }

  return {
    /** Objects that a release holds now. */
    async held(place: ReleaseRef): Promise<HeldRow[]> {
      return (await everHeld(place)).filter(({ is_gone }) => !is_gone)
    },
    everHeld,
    allHeld,
    /** Objects that releases hold on a cluster, without the bindings of others that a look has found. */
    async releasesHold(clusterId: string): Promise<HeldRow[]> {
      return (await allHeld(clusterId)).filter(({ release_name, is_gone }) => release_name !== '' && !is_gone)
    },
    /** Objects of this name that releases of a namespace hold. */
    ofName(
      { tenantId, clusterId, namespace }: Omit<ReleaseRef, 'releaseName'>,
      object: { group: string; kind: string; name: string },
    ): Promise<HeldRow[]> {
      return db.tenantOne<Tables, HeldRow[]>(tenantId, (trx) =>
        trx
          .selectFrom('held_outside')
          .selectAll()
          .where('cluster_id', '=', clusterId)
          .where('namespace', '=', namespace)
          .where('release_name', '<>', '')
          .where('is_gone', '=', false)
          .where('api_group', '=', object.group)
          .where('kind', '=', object.kind)
          .where('name', '=', object.name)
          .execute(),
      )
    },
  }
}

/** Spaces whose pods have rights outside of them, and the rights that deploying there asks for. */
function createElevation(db: Db) {
  function asked(tenantId: string, { clusterId, spaceId }: { clusterId?: string; spaceId: string }) {
    return db.tenantOne<Tables, { cluster_id: string; display_name: string; asks_for: AskedRight[] | null }[]>(
      tenantId,
      (trx) => {
        const all = trx
          .selectFrom('held_outside')
          .innerJoin('clusters', 'clusters.id', 'held_outside.cluster_id')
          .select(['held_outside.cluster_id', 'clusters.display_name', 'held_outside.asks_for'])
          .distinct()
          .where('held_outside.space_id', '=', spaceId)
          .where('held_outside.elevates', '=', true)
          .orderBy('clusters.display_name')
        if (clusterId === undefined) return all.execute()
        // A cluster that is registered twice has the namespace of the space once.
        const same = sql<SqlBool>`held_outside.cluster_id in (select same.id from clusters this, clusters same
          where this.id = ${clusterId} and (same.id = this.id or same.facts->>'uid' = this.facts->>'uid'))`
        return all.where(same).execute()
      },
    )
  }

  return {
    /** Tells whether an app's release, or a binding of somebody else, gives pods of a space rights outside of it. */
    isElevated: async (tenantId: string, clusterId: string, spaceId: string): Promise<boolean> =>
      (await asked(tenantId, { clusterId, spaceId })).length > 0,
    /** The rights that deploying there asks for by what releases and others' bindings hold; none where it is not elevated. */
    asksFor: async (tenantId: string, clusterId: string, spaceId: string): Promise<AskedRight[]> =>
      withoutRepeats((await asked(tenantId, { clusterId, spaceId })).flatMap(({ asks_for }) => asks_for ?? usualRight)),
    /** The same of every cluster on which a space is elevated. */
    async elevatedOn(tenantId: string, spaceId: string) {
      const rows = Map.groupBy(await asked(tenantId, { spaceId }), ({ cluster_id }) => cluster_id)
      return [...rows].map(([id, [first, ...others]]) => ({
        cluster: { id, displayName: first?.display_name ?? id },
        asksFor: withoutRepeats([first, ...others].flatMap((row) => row?.asks_for ?? usualRight)),
      }))
    },
  }
}

/** Rights of an object that is there already, and those that it is given anew: approvals add to each other. */
const unitedRights = sql`(
  select jsonb_agg(distinct named) from jsonb_array_elements(
    coalesce(held_outside.asks_for, case when held_outside.elevates then ${JSON.stringify([usualRight])}::jsonb else '[]' end)
      || coalesce(excluded.asks_for, '[]')) named
)`

/** Temporary rights of actions, with what their releases may then hold. */
function createActionRightsStore(db: Db) {
  return {
    /**
     * Before rights are given: what the action may do, and what the release may then hold. From here on its space is
     * elevated, also when the portal is killed the moment after.
     */
    async grant(
      rights: Omit<ActionRightsRow, 'granted_at' | 'withdrawn' | 'locked_secret'>,
      held: readonly ToHold[],
    ): Promise<void> {
      await db.tenant<Tables, void>(rights.tenant_id, async (trx) => {
        const given = {
          objects: storedJson(rights.objects),
          rests_on: rights.rests_on && storedJson(rights.rests_on),
          withdrawn: null,
        }
        await trx
          .insertInto('action_rights')
          .values({ ...rights, ...given })
          .onConflict((conflict) => conflict.column('action_id').doUpdateSet(given))
          .execute()
        if (held.length === 0) return
        await trx
          .insertInto('held_outside')
          .values([...held])
          .onConflict((conflict) =>
            conflict
              .columns(['cluster_id', 'namespace', 'release_name', 'api_group', 'kind', 'object_namespace', 'name'])
              .doUpdateSet({
                app_id: sql`excluded.app_id`,
                space_id: sql`excluded.space_id`,
                // Helm may fail, and what the object gives now stays.
                elevates: sql`excluded.elevates or (held_outside.elevates and not held_outside.is_gone)`,
                asks_for: sql`case when held_outside.is_gone then excluded.asks_for else ${unitedRights} end`,
                digest: sql`excluded.digest`,
                is_gone: false,
                api_version: sql`excluded.api_version`,
              }),
          )
          .execute()
      })
    },
    /** Before rights are taken back from an action that goes on. */
    async withdraw(tenantId: string, actionId: string, why: string): Promise<void> {
      await db.tenantOne<Tables, unknown>(tenantId, (trx) =>
        trx.updateTable('action_rights').set({ withdrawn: why }).where('action_id', '=', actionId).execute(),
      )
    },
    /** After rights were taken back. */
    async forgetRights(tenantId: string, actionId: string): Promise<void> {
      await db.tenantOne<Tables, unknown>(tenantId, (trx) =>
        trx.deleteFrom('action_rights').where('action_id', '=', actionId).execute(),
      )
    },
    rightsOf(tenantId: string, actionId: string): Promise<ActionRightsRow | undefined> {
      return db.tenantOne<Tables, ActionRightsRow | undefined>(
        tenantId,
        (trx) =>
          trx.selectFrom('action_rights').selectAll().where('action_id', '=', actionId).executeTakeFirst() as Promise<
            ActionRightsRow | undefined
          >,
      )
    },
    /** Rights of actions on a cluster, or on every one. */
    allRights(clusterId?: string): Promise<ActionRightsRow[]> {
      return db.platformOne<Tables, ActionRightsRow[]>((trx) => {
        const all = trx.selectFrom('action_rights').selectAll()
        return (clusterId ? all.where('cluster_id', '=', clusterId) : all).execute() as Promise<ActionRightsRow[]>
      })
    },
  }
}

/** Revisions that actions keep others from changing. */
function createLocks(db: Db) {
  return {
    /** Before the revision that an action rolls back to is locked; it has no rights yet. */
    async lock(lock: Omit<ActionRightsRow, 'granted_at' | 'withdrawn' | 'objects' | 'rests_on'>): Promise<void> {
      await db.tenantOne<Tables, unknown>(lock.tenant_id, (trx) =>
        trx
          .insertInto('action_rights')
          .values({ ...lock, objects: '[]', rests_on: null })
          .onConflict((conflict) => conflict.column('action_id').doUpdateSet({ locked_secret: lock.locked_secret }))
          .execute(),
      )
    },
  }
}

/** Findings of looks at a cluster: bindings of others, and objects that are gone. */
function createSightings(db: Db) {
  return {
    /**
     * Bindings that no release holds and that give accounts of spaces rights on the whole cluster: exactly these now.
     */
    async setForeign(
      { tenantId, clusterId }: Pick<ReleaseRef, 'tenantId' | 'clusterId'>,
      bindings: readonly { spaceId: string; namespace: string; name: string }[],
    ): Promise<void> {
      await db.tenant<Tables, void>(tenantId, async (trx) => {
        await trx
          .deleteFrom('held_outside')
          .where('cluster_id', '=', clusterId)
          .where('release_name', '=', '')
          .execute()
        if (bindings.length === 0) return
        const none = { app_id: '', release_name: '', object_namespace: '', digest: '' }
        const rows = bindings.map(({ spaceId, namespace, name }) => ({
          ...none,
          ...{ tenant_id: tenantId, cluster_id: clusterId, space_id: spaceId, namespace, name, elevates: true },
          ...{ api_version: `${rbac}/v1`, api_group: rbac, kind: 'ClusterRoleBinding' },
        }))
        await trx.insertInto('held_outside').values(rows).execute()
      })
    },
    /**
     * An object that is not on the cluster gives nobody a right. Its name stays known as one that the release had: whoever
     * deletes the release has to be able to ask for it.
     */
    async markGone(row: HeldRow): Promise<void> {
      await db.tenantOne<Tables, unknown>(row.tenant_id, (trx) =>
        trx
          .updateTable('held_outside')
          .set({ is_gone: true, elevates: false })
          .where('cluster_id', '=', row.cluster_id)
          .where('namespace', '=', row.namespace)
          .where('release_name', '=', row.release_name)
          .where('api_group', '=', row.api_group)
          .where('kind', '=', row.kind)
          .where('object_namespace', '=', row.object_namespace)
          .where('name', '=', row.name)
          .execute(),
      )
    },
    /** Names of objects that are gone, of releases that are gone as well. */
    async forgetGone({ tenantId, clusterId }: Pick<ReleaseRef, 'tenantId' | 'clusterId'>): Promise<void> {
      await db.tenantOne<Tables, unknown>(tenantId, (trx) =>
        trx
          .deleteFrom('held_outside')
          .where('cluster_id', '=', clusterId)
          .where('is_gone', '=', true)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('apps')
                  .select('apps.id')
                  .whereRef('apps.id', '=', 'held_outside.app_id')
                  .where('apps.release_name', 'is not', null),
              ),
            ),
          )
          .execute(),
      )
    },
  }
}

export type HeldStore = ReturnType<typeof createHeldStore>
