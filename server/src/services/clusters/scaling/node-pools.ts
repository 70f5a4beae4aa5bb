import type { NodePool } from '@quayside/contract/clusters/scaling'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { fail } from '../../../platform/http/errors.ts'
import { countOf, fieldsOf } from '../workloads/fields.ts'
import { cleanText } from '../workloads/foreign-text.ts'

const none =
  'This cluster has no node pools that the portal can resize: it is not the Sandbox, and no machine deployments of Cluster API are on it. Resize it where it was made.'

/** Node pools of a cluster: those of the Sandbox, or machine deployments where Cluster API manages them. */
export async function nodePools(connection: ClusterConnection): Promise<{ data: NodePool[]; reason: string | null }> {
  const data = [...(await poolsOfSandbox(connection)), ...(await poolsOfClusterApi(connection))]
  return { data, reason: data.length === 0 ? none : null }
}

/** Resizes one pool, and says in a sentence what happens. */
export async function resizePool(connection: ClusterConnection, name: string, count: number): Promise<string> {
  const { data } = await nodePools(connection)
  const pool = data.find((one) => one.name === name)
  if (data.length === 0) throw fail('cluster.not-resizable', { message: none })
  if (!pool) throw fail('cluster.pool-not-found', { field: 'pool' })
  const nodes = `${count} ${count === 1 ? 'node' : 'nodes'}`
  if (pool.count === count) return `Node pool ${name} has ${nodes} already.`
  if (pool.provider === 'sandbox') {
    await connection.resizeSandboxPool(name, count)
    return `Node pool ${name} had ${pool.count} and now has ${nodes}.`
  }
  await resizeMachines(connection, name, count)
  return `Node pool ${name} had ${pool.count} and is to have ${nodes}. Cluster API makes or removes the machines.`
}

async function poolsOfSandbox(connection: ClusterConnection): Promise<NodePool[]> {
  const pools = (await connection.sandboxPools()) ?? []
  return pools.map(({ name, count }) => ({ name: cleanText(name, 63), count, ready: null, provider: 'sandbox' }))
}

async function machineDeployments(connection: ClusterConnection): Promise<string | undefined> {
  const kinds = await connection.kinds()
  const served = kinds.find(
    ({ apiVersion, kind }) => kind === 'MachineDeployment' && apiVersion.startsWith('cluster.x-k8s.io/'),
  )
  return served && `${served.apiVersion}/${served.resource}`
}

async function poolsOfClusterApi(connection: ClusterConnection): Promise<NodePool[]> {
  const resource = await machineDeployments(connection)
  if (resource === undefined) return []
  return (await connection.list(resource)).map((object) => ({
    name: poolName(object),
    count: countOf(fieldsOf(object.spec).replicas, 1),
    ready: countOf(fieldsOf(object.status).readyReplicas),
    provider: 'cluster-api',
  }))
}

const poolName = ({ metadata }: KubeObject) => cleanText(`${metadata.namespace ?? ''}/${metadata.name}`, 317)

async function resizeMachines(connection: ClusterConnection, pool: string, replicas: number): Promise<void> {
  const resource = (await machineDeployments(connection)) ?? ''
  const [namespace = '', name = ''] = pool.split('/')
  const now = await connection.get(resource, namespace, name)
  if (!now) throw fail('cluster.pool-not-found', { field: 'pool' })
  await connection.replace(resource, { ...now, spec: { ...fieldsOf(now.spec), replicas } })
}
