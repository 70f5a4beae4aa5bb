import type { Health } from '@quayside/contract/clusters/endpoints'
import { type Generated, sql, type Transaction } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../platform/db/db.ts'
import { storedJson } from '../../platform/db/stored-json.ts'
import { tablesIn, type UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { fail } from '../../platform/http/errors.ts'

export interface Capacity {
  cpuMillis: number
  memoryBytes: number
  pods: number
}

/** Nodes, capacity and requests at the last look at a cluster. */
export interface ClusterFacts {
  nodes: { ready: number; total: number }
  capacity: Capacity
  requested: Capacity
  /** The same for every registration of one cluster: the UID of its namespace kube-system. */
  uid?: string
}

export interface ClusterRow {
  id: string
  tenant_id: string
  name: string
  display_name: string
  provider: string
  server: string
  /** Encrypted. */
  kubeconfig: string
  /** Goes up with each new kubeconfig. */
  generation: number
  cluster_scoped: boolean
  /** Where the ingress controller runs: pods of every space can be reached from there. */
  ingress_namespaces: string[]
  /** Registered by whoever runs the portal: it may lead into the operator's own network. */
  by_operator: boolean
  version: string | null
  health: z.infer<typeof Health>
  health_message: string | null
  facts: ClusterFacts
  checked_at: Date | null
  created_at: Date
}

interface Tables {
  clusters: Omit<ClusterRow, 'created_at' | 'facts' | 'generation'> & {
    created_at: Generated<Date>
    generation: Generated<number>
    facts: ClusterFacts | string
  }
}

type NewCluster = Pick<
  ClusterRow,
  | 'id'
  | 'name'
  | 'display_name'
  | 'provider'
  | 'server'
  | 'kubeconfig'
  | 'cluster_scoped'
  | 'ingress_namespaces'
  | 'by_operator'
>
type ClusterChange = Partial<
  Pick<
    ClusterRow,
    | 'display_name'
    | 'name'
    | 'provider'
    | 'server'
    | 'kubeconfig'
    | 'cluster_scoped'
    | 'ingress_namespaces'
    | 'by_operator'
  >
>
export type HealthReport = Pick<ClusterRow, 'health' | 'health_message' | 'version'> & { facts?: ClusterFacts }

const noFacts: ClusterFacts = {
  nodes: { ready: 0, total: 0 },
  capacity: { cpuMillis: 0, memoryBytes: 0, pods: 0 },
  requested: { cpuMillis: 0, memoryBytes: 0, pods: 0 },
}

/** The clusters of each tenant. */
export function createStore(db: Db) {
  return {
    all(tenantId: string): Promise<ClusterRow[]> {
      return db.tenantOne<Tables, ClusterRow[]>(tenantId, (trx) =>
        rows(trx).orderBy('created_at').orderBy('id').execute(),
      )
    },
    /** Clusters of every tenant, for the passes that keep them fresh. */
    everyone(): Promise<ClusterRow[]> {
      return db.platformOne<Tables, ClusterRow[]>((trx) => rows(trx).execute())
    },
    find(tenantId: string, id: string): Promise<ClusterRow | undefined> {
      return db.tenantOne<Tables, ClusterRow | undefined>(tenantId, (trx) =>
        rows(trx).where('id', '=', id).executeTakeFirst(),
      )
    },
    /** A registration, and the other ones by which the tenant has registered the same cluster. */
    same(tenantId: string, id: string): Promise<ClusterRow[]> {
      return db.tenantOne<Tables, ClusterRow[]>(tenantId, (trx) =>
        rows(trx)
          .where(
            sql<boolean>`id = ${id} or facts->>'uid' = (select this.facts->>'uid' from clusters this where this.id = ${id})`,
          )
          .orderBy('created_at')
          .orderBy('id')
          .execute(),
      )
    },
    async insert(tenantId: string, cluster: NewCluster): Promise<void> {
      await namesApart(() =>
        db.tenantOne<Tables, unknown>(tenantId, (trx) =>
          trx
            .insertInto('clusters')
            .values({
              ...cluster,
              tenant_id: tenantId,
              version: null,
              health: 'unknown',
              health_message: null,
              facts: JSON.stringify(noFacts),
              checked_at: null,
            })
            .execute(),
        ),
      )
    },
    async change(tenantId: string, id: string, change: ClusterChange): Promise<boolean> {
      const generation = change.kubeconfig === undefined ? {} : { generation: sql<number>`generation + 1` }
      const found = await namesApart(() =>
        db.tenantOne<Tables, unknown>(tenantId, (trx) =>
          trx
            .updateTable('clusters')
            .set({ ...change, ...generation, id })
            .where('id', '=', id)
            .returning('id')
            .executeTakeFirst(),
        ),
      )
      return found !== undefined
    },
    async report(tenantId: string, id: string, { facts, ...report }: HealthReport): Promise<void> {
      const known = facts ? { facts: storedJson(facts) } : {}
      await db.tenantOne<Tables, unknown>(tenantId, (trx) =>
        trx
          .updateTable('clusters')
          .set({ ...report, ...known, checked_at: sql`now()` })
          .where('id', '=', id)
          .execute(),
      )
    },
    async remove(within: UnitOfWork, id: string): Promise<void> {
      const trx = tablesIn<Tables>(within)
      await trx.deleteFrom('clusters').where('id', '=', id).execute()
    },
  }
}
export type Store = ReturnType<typeof createStore>

function rows(trx: Transaction<Tables>) {
  return trx.selectFrom('clusters').selectAll().$castTo<ClusterRow>()
}

async function namesApart<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if ((error as { code?: unknown }).code === '23505') throw fail('cluster.name-taken', { field: 'displayName' })
    throw error
  }
}
