import type { Clock } from '../clock.ts'
import type { GroupResource, KubeObject, ObjectMeta, ObjectStore } from '../object-store.ts'
import { VERSION } from '../version.ts'
import { timestamp } from './engine/engine.ts'

export interface NodePool {
  /** Nodes are called `<name>-1`, `<name>-2` and so on. */
  name: string
  count: number
  cpu: string
  memory: string
  pods?: number
  labels?: Record<string, string>
}

const KUBELET_VERSION = VERSION.gitVersion
const DEFAULT_POOL: NodePool = { name: 'sandbox', count: 3, cpu: '16', memory: '64Gi' }
const PROVISIONER = 'sandbox.quayside.io/disk'

type Draft = Omit<KubeObject, 'metadata'> & { metadata: Partial<ObjectMeta> }

/** Creates the objects of a new cluster: namespaces, nodes, storage classes. Objects that exist already stay. */
export function seedCluster({
  store,
  clock,
  pools = [DEFAULT_POOL],
}: {
  store: ObjectStore
  clock: Clock
  pools?: NodePool[]
}) {
  const ensure = (resource: GroupResource, object: Draft) => {
    const { namespace, name = '' } = object.metadata
    if (!store.get(resource, namespace, name)) store.create(resource, object)
  }
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    const metadata = { name, labels: { 'kubernetes.io/metadata.name': name } }
    const spec = { finalizers: ['kubernetes'] }
    ensure('/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata, spec, status: { phase: 'Active' } })
  }
  let index = 0
  for (const pool of pools) {
    for (let number = 1; number <= pool.count; number++)
      ensure('/nodes', nodeObject(pool, number, ++index, clock.now()))
  }
  ensure('storage.k8s.io/storageclasses', storageClass('standard', 'Immediate', true))
  ensure('storage.k8s.io/storageclasses', storageClass('local', 'WaitForFirstConsumer', false))
}

function storageClass(name: string, volumeBindingMode: string, isDefault: boolean): Draft {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {
      name,
      annotations: isDefault ? { 'storageclass.kubernetes.io/is-default-class': 'true' } : {},
    },
    provisioner: PROVISIONER,
    reclaimPolicy: 'Delete',
    volumeBindingMode,
    allowVolumeExpansion: true,
  }
}

/** A node as its kubelet registers it, ready at once. `index` gives it its addresses and zone. */
export function nodeObject(pool: NodePool, number: number, index: number, nowMs: number): Draft {
  const name = `${pool.name}-${number}`
  const now = timestamp(nowMs)
  const amounts = { cpu: pool.cpu, memory: pool.memory, pods: String(pool.pods ?? 110), 'ephemeral-storage': '200Gi' }
  const [high, low] = [Math.floor(index / 250), (index % 250) + 2]
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  })
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/os': 'linux',
        'kubernetes.io/hostname': name,
        'node.kubernetes.io/instance-type': 'sandbox',
        'topology.kubernetes.io/region': 'sandbox',
        'topology.kubernetes.io/zone': `sandbox-${'abc'[index % 3]}`,
        'sandbox.quayside.io/pool': pool.name,
        ...pool.labels,
      },
      annotations: { 'node.alpha.kubernetes.io/ttl': '0' },
    },
    spec: { providerID: `sandbox://${pool.name}/${name}` },
    status: {
      addresses: [
        { type: 'InternalIP', address: `172.18.${high}.${low}` },
        { type: 'Hostname', address: name },
      ],
      capacity: amounts,
      allocatable: amounts,
      conditions: [
        condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
        condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        architecture: 'amd64',
        operatingSystem: 'linux',
        osImage: 'Quayside Sandbox',
        kernelVersion: '6.12.0-sandbox',
        containerRuntimeVersion: 'containerd://2.1.4',
        kubeletVersion: KUBELET_VERSION,
        kubeProxyVersion: '',
        machineID: '',
        systemUUID: '',
        bootID: '',
      },
    },
  }
}
