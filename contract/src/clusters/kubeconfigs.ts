import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, Id } from '../http/primitives.ts'

const endpoint = endpointsOf('cluster')

/** Role of a kubeconfig's holder, which decides their rights in the namespace of a space. */
export const KubeconfigRole = z.enum(['viewer', 'deployer', 'manager'])
export type KubeconfigRole = z.infer<typeof KubeconfigRole>

/** Where somebody wants to look with a client of their own. */
const KubeconfigInput = z.strictObject({
  places: z
    .array(z.strictObject({ spaceId: Id, clusterId: Id }))
    .min(1)
    .max(50),
})
export const Kubeconfig = z.object({
  kubeconfig: z.string().describe('YAML with a context `space@cluster` for each place'),
  role: KubeconfigRole.describe('the highest of its places'),
  expiresAt: z.string(),
})
export type Kubeconfig = z.infer<typeof Kubeconfig>

/** Why a kubeconfig counts no more. */
export const KubeconfigEnd = z.enum([
  'expired',
  /** By hand, by its holder or by somebody who may. */
  'ended',
  /** Its holder was disabled, deleted, or may not look at the space any more. */
  'access-lost',
  'space-deleted',
  /** The space does not use the cluster any more, or the cluster was deregistered. */
  'cluster-removed',
  /** Its holder made more for the same space and cluster than count at once: the oldest ended. */
  'too-many',
  /** It was never finished: its account could not be made. */
  'failed',
])
export type KubeconfigEnd = z.infer<typeof KubeconfigEnd>

/**
 * One context of a kubeconfig that was handed out: an account of its own on one cluster, in the namespace of one space.
 */
export const HandedOutKubeconfig = z.object({
  id: z.string(),
  user: z.object({ id: z.string(), name: z.string() }),
  space: z.object({ id: z.string(), name: z.string() }),
  cluster: z.object({ id: z.string(), name: z.string() }),
  /** Its present role: never more than its holder has, and in an elevated space no more than a viewer. */
  role: KubeconfigRole,
  /** `ending`: it is to end, but its cluster has not answered yet; it ends there when it does. */
  state: z.enum(['valid', 'ending', 'ended']),
  issuedAt: z.string(),
  expiresAt: z.string(),
  endedAt: z.string().nullable(),
  endedBecause: KubeconfigEnd.nullable(),
  /** Name of the person who ended it by hand. */
  endedBy: z.string().nullable(),
})
export type HandedOutKubeconfig = z.infer<typeof HandedOutKubeconfig>

/** Most kubeconfigs that one person has at a time for one space on one cluster; one more ends the oldest. */
export const mostKubeconfigsOfPlace = 20

/** Those that are valid first, then those that are ending, and for a week those that have ended; each newest first. */
const list = listOf(HandedOutKubeconfig)
const OneIn = z.object({ id: Id, kubeconfigId: Id })

export const kubeconfigs = {
  create: endpoint('POST', '/v1/kubeconfigs', {
    summary:
      'A kubeconfig of the caller for spaces on clusters, with tokens of an hour; of more than 20 for one place the oldest ends',
    body: KubeconfigInput,
    reply: Kubeconfig,
  }),
  listMine: endpoint('GET', '/v1/kubeconfigs', {
    summary: 'Kubeconfigs of the caller, valid ones first',
    query: ListQuery,
    reply: list,
  }),
  endMine: endpoint('DELETE', '/v1/kubeconfigs/:id', {
    summary: 'End a kubeconfig of the caller: its token counts no more within seconds',
    params: ById,
    status: 204,
  }),
  listOfSpace: endpoint('GET', '/v1/spaces/:id/kubeconfigs', {
    summary: 'Kubeconfigs that reach into a space, valid ones first',
    params: ById,
    query: ListQuery,
    reply: list,
  }),
  endInSpace: endpoint('DELETE', '/v1/spaces/:id/kubeconfigs/:kubeconfigId', {
    summary: 'End a kubeconfig that reaches into a space',
    params: OneIn,
    status: 204,
  }),
  listOfCluster: endpoint('GET', '/v1/clusters/:id/kubeconfigs', {
    summary: 'Kubeconfigs that reach a cluster, valid ones first',
    params: ById,
    query: ListQuery,
    reply: list,
  }),
  endOnCluster: endpoint('DELETE', '/v1/clusters/:id/kubeconfigs/:kubeconfigId', {
    summary: 'End a kubeconfig that reaches a cluster',
    params: OneIn,
    status: 204,
  }),
}
