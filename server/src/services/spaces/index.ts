import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { role } from '@quayside/contract/http/policy'
import type { NewSpace, Space, SpaceInput } from '@quayside/contract/spaces/endpoints'
import type { Actor } from '../../platform/auth/actor.ts'
import { holdsAny } from '../../platform/auth/policy.ts'
import type { Rights, SpaceCondition } from '../../platform/auth/rights.ts'
import type { Db } from '../../platform/db/db.ts'
import { shortId } from '../../platform/db/ids.ts'
import type { UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { fail } from '../../platform/http/errors.ts'
import { listReply } from '../../platform/http/listing.ts'
import type { Entries } from '../permissions/index.ts'
import type { SpaceOnCluster } from './cluster-use.ts'
import { createFreezes } from './freezes.ts'
import { markedSlug, namespaceOf, slugOf } from './names.ts'
import { createSpaceStore, type GrantedRow, type SpaceStore } from './store.ts'

/** The facts about a space that other services use. */
export interface SpaceRecord {
  id: string
  name: string
  displayName: string
  identifier: string
  namespace: string
  clusterIds: string[]
}

export interface ClusterName {
  id: string
  name: string
  displayName: string
  provider: string
}

interface SpacePorts {
  nameOf(realm: string, userId: string): Promise<string | undefined>
  clusterNames(tenantId: string): Promise<Map<string, ClusterName>>
  rights: Rights
  /** The lists of who may do what in a space: each begins with its space. */
  permissions: Pick<Entries, 'begin' | 'prepare'>
  /** In the transaction that deletes a space: what others keep of it goes as well. */
  onRemove(work: UnitOfWork, tenantId: string, spaceId: string): Promise<void>
  /** In the transaction in which a space leaves a cluster: what others keep of it there goes as well. */
  onLeave(work: UnitOfWork, place: SpaceOnCluster): Promise<void>
  /** Clusters from which what a space has there is just being removed, as the transaction sees it. */
  leaving(work: UnitOfWork, spaceId: string): Promise<ReadonlySet<string>>
}

/** Spaces with the clusters that their apps run on, and whom each lets in. */
export function createSpaces(db: Db, ports: SpacePorts) {
  const store = createSpaceStore(db)
  const views = createClusterViews(store, ports)
  const reads = createSpaceReads(store, ports)
  return {
    ...reads,
    ...views,
    ...createSpaceChanges(store, ports, reads.record),
    ...createFreezes(db, ports),
    usersOf: store.usersOf,
    countsByCluster: store.countsByCluster,
  }
}

/** Clusters that somebody knows of by the spaces that they see. */
function createClusterViews({ clusterIdsIn }: SpaceStore, ports: SpacePorts) {
  const { rights } = ports

  /** Selects the spaces whose clusters somebody knows of; undefined for holders of `clusters.view`, who know all. */
  const clustersWithin = (actor: Actor): SpaceCondition | undefined =>
    holdsAny(actor, [role('clusters', 'clusters.view')]) ? undefined : rights.condition(actor, 'space.view')

  async function clusterNamesFor(actor: Actor): Promise<Map<string, ClusterName>> {
    const [names, within] = [await ports.clusterNames(actor.tenantId), clustersWithin(actor)]
    const seen = within && (await clusterIdsIn(actor.tenantId, within))
    return seen ? new Map([...names].filter(([id]) => seen.has(id))) : names
  }

  return {
    clusterIdsIn,
    clustersWithin,
    /** Clusters that somebody knows of. */
    clusterNamesFor,
  }
}

/** Spaces as lists and pages show them, and the record that other services ask for. */
function createSpaceReads(store: SpaceStore, ports: SpacePorts) {
  const { rights } = ports

  async function present(actor: Actor, rows: GrantedRow[]): Promise<Space[]> {
    const names = await ports.clusterNames(actor.tenantId)
    return rows.map((row) => {
      const scopes = rights.scopesFrom(actor, row.granted)
      return {
        id: row.id,
        name: row.name,
        displayName: row.display_name,
        identifier: row.name,
        description: row.description,
        namespace: namespaceOf(row.name, row.id),
        apps: scopes.includes('app.view') ? row.apps : [],
        clusters: row.cluster_ids.flatMap((id) => names.get(id) ?? []),
        freeze: row.freeze,
        scopes,
        createdAt: row.created_at.toISOString(),
      }
    })
  }

  async function record(tenantId: string, id: string): Promise<SpaceRecord | undefined> {
    const row = await store.one(tenantId, id)
    return (
      row && {
        id: row.id,
        name: row.name,
        displayName: row.display_name,
        identifier: row.name,
        namespace: namespaceOf(row.name, row.id),
        clusterIds: row.cluster_ids,
      }
    )
  }

  return {
    record,
    /** Names and namespaces by id; what is gone is left out. */
    async named(
      tenantId: string,
      ids: readonly string[],
    ): Promise<Map<string, Pick<SpaceRecord, 'displayName' | 'namespace'>>> {
      const rows = await store.named(tenantId, ids)
      return new Map(
        rows.map(({ id, name, display_name }) => [id, { displayName: display_name, namespace: namespaceOf(name, id) }]),
      )
    },
    async list(
      actor: Actor,
      query: ListQuery,
      path: string,
      within: SpaceCondition | undefined,
    ): Promise<ListReply<Space>> {
      const granted = rights.granted(actor, 'spaces.id')
      const { rows, total } = await store.page(actor.tenantId, query, within, granted)
      return listReply(await present(actor, rows), total, query, path)
    },
    async get(actor: Actor, id: string): Promise<Space> {
      const row = await store.one(actor.tenantId, id, rights.granted(actor, 'spaces.id'))
      if (!row) throw fail('space.not-found')
      return (await present(actor, [row]))[0] as Space
    },
  }
}

type RecordOf = ReturnType<typeof createSpaceReads>['record']

const namesFor = (displayName: string) => ({ name: slugOf(displayName), otherName: markedSlug(displayName) })

/** Spaces made, changed and deleted. */
function createSpaceChanges(store: SpaceStore, ports: SpacePorts, record: RecordOf) {
  const { permissions } = ports

  /** Clusters that the caller may put to use: those that they see, and those that the space has already. */
  async function clustersMustExist(
    tenantId: string,
    ids: string[],
    { within, has = [] }: { within: SpaceCondition | undefined; has?: readonly string[] },
  ): Promise<void> {
    const names = await ports.clusterNames(tenantId)
    const seen = within && (await store.clusterIdsIn(tenantId, within))
    const isKnown = (id: string) => names.has(id) && (!seen || seen.has(id) || has.includes(id))
    const unknown = ids.find((id) => !isKnown(id))
    if (unknown !== undefined) throw fail('cluster.not-found', { field: 'clusterIds', details: { clusterId: unknown } })
  }

  return {
    /** Its maker owns it from the same moment on. */
    async create(actor: Actor, input: NewSpace, within: SpaceCondition | undefined): Promise<string> {
      const { tenantId } = actor
      const [beginning] = await Promise.all([
        permissions.prepare(actor, input.members),
        clustersMustExist(tenantId, input.clusterIds, { within }),
      ])
      const id = shortId()
      await store.create(tenantId, { ...input, id, ...namesFor(input.displayName) }, (work) =>
        permissions.begin(work, { actor, spaceId: id }, input.members, beginning),
      )
      return id
    },
    /**
     * The name, and with it the namespace, stays what it was when the space was made.
     * @returns ids of clusters that the space is to leave: it still has them, and no apps there
     */
    async update(
      tenantId: string,
      id: string,
      input: SpaceInput,
      within: SpaceCondition | undefined,
    ): Promise<string[]> {
      const has = within && (await record(tenantId, id))?.clusterIds
      if (input.clusterIds) await clustersMustExist(tenantId, input.clusterIds, { within, has })
      return store.update(tenantId, id, input, (work) => ports.leaving(work, id))
    },
    /** In the transaction in which the departure from a cluster is accepted. */
    async leave(work: UnitOfWork, place: SpaceOnCluster): Promise<void> {
      await store.leave(work, place)
      await ports.onLeave(work, place)
    },
    mustHaveLeft: store.mustHaveLeft,
    mustUse: store.mustUse,
    /** In the transaction in which the deletion is accepted. */
    async remove(work: UnitOfWork, tenantId: string, id: string): Promise<void> {
      await store.remove(work, id)
      await ports.onRemove(work, tenantId, id)
    },
    leaveCluster: store.leaveCluster,
  }
}

export type Spaces = ReturnType<typeof createSpaces>
