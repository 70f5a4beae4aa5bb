import { open } from 'node:fs/promises'
import type { ClusterInput, ClusterPatch } from '@quayside/contract/clusters/endpoints'
import type { z } from 'zod'
import { isAllowedAddress, refusePrivateHost } from '../../../adapters/kubernetes/address-guard.ts'
import { type ClusterAccess, readKubeconfig, writeKubeconfig } from '../../../adapters/kubernetes/kubeconfig.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { shortId } from '../../../platform/db/ids.ts'
import type { Encryption } from '../../../platform/encryption/encryption.ts'
import { fail } from '../../../platform/http/errors.ts'
import { hasMore } from '../outside/rights/loosens.ts'
import type { ClusterPorts } from '../ports.ts'
import type { ClusterRow, Store } from '../store.ts'
import { type Connections, placeOf } from './connections.ts'
import { nameOf } from './names.ts'

interface RegistryDeps {
  store: Store
  encryption: Encryption
  connections: Connections
  ports: Pick<ClusterPorts, 'appCounts'>
  allowPrivateAddresses: boolean
  allowedAddresses: readonly string[]
  kubeconfigFile: string | undefined
  /** Gives a new cluster the list that every one begins with. */
  begin(tenantId: string, clusterId: string): Promise<void>
  /** Throws for somebody whose right to edit clusters ends by itself. */
  mayLoosen(actor: Actor): Promise<void>
  /** Called when the isolation settings of a cluster have changed. */
  isolationChanged(tenantId: string, clusterId: string): Promise<void>
  /** Looks at a cluster now and remembers what it saw. */
  look(row: ClusterRow): Promise<unknown>
}

const maxFileBytes = 256 * 1024
const operatorsInput = {
  iaas: { type: 'Kubernetes' },
  kubeconfig: '',
  clusterScoped: false,
  ingressNamespaces: ['ingress-nginx'],
}

/** Registers, changes and deregisters clusters. What is kept of a kubeconfig is what we rebuilt from it, encrypted. */
export function createRegistry(deps: RegistryDeps) {
  const { store, encryption, connections } = deps
  const encrypted = (tenantId: string, id: string, access: ClusterAccess) =>
    encryption.encrypt(tenantId, placeOf(id), writeKubeconfig(access))

  async function add(
    tenantId: string,
    input: z.output<typeof ClusterInput>,
    access: ClusterAccess,
    byOperator: boolean,
  ) {
    const id = shortId()
    await store.insert(tenantId, {
      id,
      name: nameOf(input.displayName),
      display_name: input.displayName,
      provider: input.iaas.type,
      server: access.server,
      kubeconfig: encrypted(tenantId, id, access),
      cluster_scoped: input.clusterScoped,
      ingress_namespaces: input.ingressNamespaces,
      by_operator: byOperator,
    })
    await deps.begin(tenantId, id)
    await deps.look(await connections.row(tenantId, id))
    return id
  }

  function replaceKubeconfig(tenantId: string, id: string, access: ClusterAccess, byOperator: boolean) {
    return { server: access.server, kubeconfig: encrypted(tenantId, id, access), by_operator: byOperator }
  }

  return {
    async create(tenantId: string, input: z.output<typeof ClusterInput>): Promise<string> {
      const access = await guarded(deps, readKubeconfig(input.kubeconfig, input.context))
      return add(tenantId, input, access, false)
    },

    async update(actor: Actor, id: string, patch: z.output<typeof ClusterPatch>): Promise<void> {
      const { tenantId } = actor
      const before = await connections.row(tenantId, id)
      if (opens(before, patch)) await deps.mayLoosen(actor)
      const { displayName, iaas, kubeconfig, context, clusterScoped, ingressNamespaces } = patch
      const access = kubeconfig === undefined ? undefined : await guarded(deps, readKubeconfig(kubeconfig, context))
      await store.change(tenantId, id, {
        ...(displayName === undefined ? {} : { display_name: displayName, name: nameOf(displayName) }),
        ...(iaas === undefined ? {} : { provider: iaas.type }),
        ...(clusterScoped === undefined ? {} : { cluster_scoped: clusterScoped }),
        ...(ingressNamespaces === undefined ? {} : { ingress_namespaces: ingressNamespaces }),
        ...(access === undefined ? {} : replaceKubeconfig(tenantId, id, access, false)),
      })
      // Read anew in any case: what is kept of it is old now.
      const row = await connections.row(tenantId, id)
      if (access) await deps.look(row)
      if (clusterScoped !== undefined || ingressNamespaces !== undefined) await deps.isolationChanged(tenantId, id)
    },

    async mustHoldNoApps(tenantId: string, id: string): Promise<void> {
      await connections.row(tenantId, id)
      const apps = (await deps.ports.appCounts(tenantId)).get(id) ?? 0
      if (apps > 0) throw fail('cluster.in-use', { details: { apps } })
    },

    /** The cluster that QUAYSIDE_KUBECONFIG names; once, however often the portal starts. Its id, or undefined. */
    async registerOperators(tenantId: string): Promise<string | undefined> {
      if (!deps.kubeconfigFile) return undefined
      const access = readKubeconfig(await readSmallFile(deps.kubeconfigFile))
      const clusters = await store.all(tenantId)
      const known = clusters.find(({ server, name }) => server === access.server || name === nameOf(access.name))
      if (known) {
        const current = encryption.decrypt(tenantId, placeOf(known.id), known.kubeconfig)
        if (current !== writeKubeconfig(access) || !known.by_operator)
          await store.change(tenantId, known.id, replaceKubeconfig(tenantId, known.id, access, true))
        return known.id
      }
      return add(tenantId, { ...operatorsInput, displayName: access.name.slice(0, 80) }, access, true)
    },
  }
}

/** Tells whether spaces of a cluster are held apart less afterwards. */
function opens(
  before: Pick<ClusterRow, 'cluster_scoped' | 'ingress_namespaces'>,
  { clusterScoped, ingressNamespaces }: z.output<typeof ClusterPatch>,
): boolean {
  return (
    (clusterScoped === true && !before.cluster_scoped) || hasMore(before.ingress_namespaces, ingressNamespaces ?? [])
  )
}

/** Refuses addresses inside of the network of the portal. */
async function guarded(deps: RegistryDeps, access: ClusterAccess): Promise<ClusterAccess> {
  if (deps.allowPrivateAddresses || isAllowedAddress(access.server, deps.allowedAddresses)) return access
  try {
    await refusePrivateHost(new URL(access.server).hostname)
  } catch (error) {
    // One sentence for a name that leads inside and for one that leads nowhere: which one it is tells of the inside.
    const message = 'cluster.server: this portal does not reach this address. Use one that is public.'
    throw fail('cluster.kubeconfig-refused', { field: 'kubeconfig.cluster.server', message, cause: error })
  }
  return access
}

async function readSmallFile(path: string): Promise<string> {
  const unreadable = (cause?: unknown) =>
    fail('cluster.kubeconfig-refused', { message: `QUAYSIDE_KUBECONFIG: ${path} cannot be read`, cause })
  const file = await open(path).catch((error: unknown) => {
    throw unreadable(error)
  })
  try {
    const { size } = await file.stat()
    if (size > maxFileBytes) throw unreadable()
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
