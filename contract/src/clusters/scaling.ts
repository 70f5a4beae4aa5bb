import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ById, Id } from '../http/primitives.ts'
import { WorkloadState } from './endpoints.ts'
import { cpuAmount, memoryAmount, mostNodes, mostReplicas } from './scaling-bounds.ts'

const endpoint = endpointsOf('cluster')

/** CPU and memory in the words of Kubernetes; null where nothing is set. */
const Amounts = z.object({ cpu: z.string().nullable(), memory: z.string().nullable() })
const Resources = z.object({ requests: Amounts, limits: Amounts })

/** A workload of an app with what it runs with now, and with what its release sets; null: the release leaves it open. */
export const WorkloadLimits = z.object({
  kind: z.string().describe('Deployment, StatefulSet or DaemonSet'),
  name: z.string(),
  state: WorkloadState,
  message: z.string().nullable(),
  replicas: z.number().nullable().describe('null: one on each node'),
  ready: z.number(),
  released: z.object({ replicas: z.number().nullable() }),
  autoscaler: z.string().nullable().describe('name of the autoscaler that sets the number of replicas'),
  containers: z.array(Resources.extend({ name: z.string(), released: Resources })),
})
export type WorkloadLimits = z.infer<typeof WorkloadLimits>

/** One resource of a quota of the space's namespace. */
export const QuotaUse = z.object({ quota: z.string(), resource: z.string(), used: z.string(), hard: z.string() })
export type QuotaUse = z.infer<typeof QuotaUse>

/** Nodes that are alike. */
export const NodePool = z.object({
  name: z.string(),
  count: z.number().describe('nodes that the pool should have'),
  ready: z.number().nullable().describe('nodes that are ready; null: not told'),
  provider: z.enum(['sandbox', 'cluster-api']),
})
export type NodePool = z.infer<typeof NodePool>

const amount = (pattern: RegExp, example: string) => z.string().regex(pattern, `an amount such as ${example}`)
const AskedAmounts = z.strictObject({
  cpu: amount(cpuAmount, '250m or 2').nullable(),
  memory: amount(memoryAmount, '128Mi or 2Gi').nullable(),
})
const kubernetesName = z.string().regex(/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/, 'a name in Kubernetes')
const scalable = z.enum(['Deployment', 'StatefulSet'])
const restartable = z.enum(['Deployment', 'StatefulSet', 'DaemonSet'])

/** Requests and limits that are left null are removed. */
const LimitsInput = z.strictObject({
  appId: Id,
  kind: restartable,
  name: kubernetesName,
  container: z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'the name of a container'),
  requests: AskedAmounts,
  limits: AskedAmounts,
})
export const ScaleInput = z.strictObject({
  appId: Id,
  kind: scalable,
  name: kubernetesName,
  replicas: z.number().int().min(0).max(mostReplicas, `at most ${mostReplicas}`),
})
const RestartInput = z.strictObject({ appId: Id, kind: restartable, name: kubernetesName })

/** The change goes on as an action of the ledger: `GET /deployment/v1/actions/{actionId}`. */
const ChangeAccepted = z.object({ actionId: z.string(), state: z.string() })

export const scaling = {
  limitsOfApp: endpoint('GET', '/v1/apps/limits/:id', {
    summary: 'Replicas, requests and limits of the workloads of an app, and the quotas of its namespace',
    params: ById,
    reply: z.object({ data: z.array(WorkloadLimits), quotas: z.array(QuotaUse) }),
  }),
  setLimits: endpoint('POST', '/v1/apps/set.limits', {
    summary: 'Set requests and limits of one container of an app; its pods are started anew',
    body: LimitsInput,
    reply: ChangeAccepted,
    status: 202,
  }),
  scale: endpoint('POST', '/v1/action/apps.scale', {
    summary: 'Set the number of replicas of a workload of an app',
    body: ScaleInput,
    reply: ChangeAccepted,
    status: 202,
  }),
  restart: endpoint('POST', '/v1/action/apps.restart', {
    summary: 'Start the pods of a workload of an app anew, a few at a time',
    body: RestartInput,
    reply: ChangeAccepted,
    status: 202,
  }),
  nodePools: endpoint('GET', '/v1/clusters/:id/nodePools', {
    summary: 'Node pools that the portal can resize; without any, the reason',
    params: ById,
    reply: z.object({ data: z.array(NodePool), reason: z.string().nullable() }),
  }),
  resize: endpoint('POST', '/v1/action/cluster.resize', {
    summary: 'Set the number of nodes of a node pool; answers with a sentence as text',
    body: z.strictObject({
      clusterId: Id,
      pool: z.string().regex(/^[a-z0-9]([-a-z0-9./]{0,316}[a-z0-9])?$/, 'the name of a node pool'),
      count: z.number().int().min(0).max(mostNodes, `at most ${mostNodes}`),
    }),
    streams: true,
  }),
}
