import { Readable } from 'node:stream'
import { z } from 'zod'
import { fail } from '../../platform/http/errors.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { isAllowedAddress } from './address-guard.ts'
import { allKinds } from './all-kinds.ts'
import { apiServers } from './api-servers.ts'
import { createDiscovery } from './discovery.ts'
import { type ClusterAccess, readKubeconfig } from './kubeconfig.ts'
import type { ApplyOptions, ClusterConnection, KubeObject, Kubernetes, ListSelection } from './kubernetes.ts'
import { asHeld, asObject, asPage } from './objects.ts'
import { pathOfResource } from './resource-path.ts'
import { resizeSandboxPool, sandboxPools } from './sandbox-pools.ts'
import { clearRegistration, clearSpace, endSpaces, releaseSpaces, spacesOn } from './space/clear-space.ts'
import {
  bindPerson,
  endPersonAccess,
  makePersonAccess,
  personAccesses,
  removeFormerAccounts,
} from './space/person-identity.ts'
import { ensurePortalNamespace, leavePortalNamespace, registrationsOn } from './space/portal-namespace.ts'
import { ensureOnCluster, makeActionIdentity, makeSpaceIdentity } from './space/space-identity.ts'
import { createTransport, KubeRefusal, type Transport } from './transport.ts'
import { startWatch } from './watch.ts'

const pageSize = 500
const maxItems = 5000
const fieldManager = 'quayside'
const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;q=0.5'
const Version = z.looseObject({ gitVersion: z.string().max(200) })

/** Connects to clusters. Connections are cheap; each keeps its sockets, its discovery and its breaker. */
export function createKubernetes(deps: { log: Logger; allowedAddresses?: readonly string[] }): Kubernetes {
  const { log, allowedAddresses = [] } = deps
  return {
    connect(kubeconfig, options = {}) {
      const access = readKubeconfig(kubeconfig)
      const allowPrivateAddresses = options.allowPrivateAddresses || isAllowedAddress(access.server, allowedAddresses)
      const transport = createTransport(access, { allowPrivateAddresses, log })
      return connectionOver(transport, access, log)
    },
  }
}

function connectionOver(transport: Transport, access: ClusterAccess, log: Logger): ClusterConnection {
  const connection: ClusterConnection = {
    async version() {
      const parsed = Version.safeParse(await transport.json({ path: '/version' }))
      if (!parsed.success) throw fail('cluster.refused', { message: 'This address is not that of a Kubernetes API.' })
      return parsed.data
    },
    list: async (resource, selection = {}) => (await listAll(transport, resource, selection)).items,
    async get(resource, namespace, name) {
      try {
        return asObject(await transport.json({ path: pathOfResource(resource, namespace, name) }))
      } catch (error) {
        if (error instanceof KubeRefusal && error.httpStatus === 404) return undefined
        throw error
      }
    },
    async create(resource, object) {
      const path = pathOfResource(resource, object.metadata.namespace)
      return asObject(await transport.json({ method: 'POST', path, query: { fieldManager }, body: object }))
    },
    apply: async (resource, object, options = {}) =>
      asObject(await transport.json(applying(resource, object, options))),
    async replace(resource, object) {
      const path = pathOfResource(resource, object.metadata.namespace, object.metadata.name)
      return asObject(await transport.json({ method: 'PUT', path, query: { fieldManager }, body: object }))
    },
    async remove(resource, namespace, name, graceSeconds) {
      // Without a policy, one by which somebody has deleted it before would go on holding it.
      const query = { gracePeriodSeconds: graceSeconds, propagationPolicy: 'Background' }
      return asHeld(await transport.json({ method: 'DELETE', path: pathOfResource(resource, namespace, name), query }))
    },
    resourceOf: createDiscovery(transport),
    kinds: keptFor(60_000, () => allKinds(transport)),
    watch: (resource, selection, on) =>
      startWatch({ transport, log, listAll: (...what) => listAll(transport, ...what) }, resource, selection, on),
    async podLog(namespace, pod, options, signal) {
      const path = pathOfResource('v1/pods', namespace, pod, 'log')
      const response = await transport.open({ path, query: { ...options } }, signal)
      return Readable.toWeb(response) as ReadableStream<Uint8Array>
    },
    spaceKubeconfig: (space) => makeSpaceIdentity(connection, transport, access, space),
    actionKubeconfig: (action) => makeActionIdentity(connection, transport, access, action),
    ensureSpace: (space) => ensureOnCluster(connection, space),
    apiServers: keptFor(600_000, () => apiServers(connection)),
    personAccess: (person) => makePersonAccess(connection, transport, access, person),
    bindPerson: (person) => bindPerson(connection, person),
    endPersonAccess: (person) => endPersonAccess(connection, person),
    personAccesses: (registration) => personAccesses(connection, registration),
    removeFormerAccounts: (tenantId) => removeFormerAccounts(connection, tenantId),
    clearSpace: (space) => clearSpace(connection, space),
    endSpaces: (tenantId) => endSpaces(connection, tenantId),
    releaseSpaces: (tenantId) => releaseSpaces(connection, tenantId),
    clearRegistration: (registration, options) => clearRegistration(connection, registration, options),
    spacesOn: (tenantId) => spacesOn(connection, tenantId),
    registrationsOn: (tenantId) => registrationsOn(connection, tenantId),
    ensurePortalNamespace: (registration, options) => ensurePortalNamespace(connection, registration, options),
    leavePortalNamespace: (registration) => leavePortalNamespace(connection, registration),
    sandboxPools: () => sandboxPools(transport),
    resizeSandboxPool: (name, count) => resizeSandboxPool(transport, name, count),
    now: () => transport.now(),
    close: () => transport.close(),
  }
  return connection
}

function keptFor<T>(milliseconds: number, read: () => Promise<T>): (age?: 'now') => Promise<T> {
  let known: { at: number; value: Promise<T> } | undefined
  return (age) => {
    if (known && age !== 'now' && Date.now() - known.at < milliseconds) return known.value
    const value = read()
    known = { at: Date.now(), value }
    value.catch(() => {
      known = undefined
    })
    return value
  }
}

function applying(resource: string, object: KubeObject, { dryRun, manager, force, onWarning }: ApplyOptions) {
  const { name, namespace } = object.metadata
  return {
    method: 'PATCH' as const,
    path: pathOfResource(resource, namespace, name),
    query: { fieldManager: manager ?? fieldManager, force: force ?? true, dryRun: dryRun ? 'All' : undefined },
    contentType: 'application/apply-patch+yaml',
    body: object,
    ...(onWarning ? { onWarning } : {}),
  }
}

/** All of a resource, page by page, up to a limit: a hostile cluster could go on for ever. */
async function listAll(transport: Transport, resource: string, selection: ListSelection) {
  const path = pathOfResource(resource, selection.namespace)
  const { labelSelector, fieldSelector } = selection
  const most = Math.min(selection.limit ?? maxItems, maxItems)
  const items: KubeObject[] = []
  let resourceVersion: string | undefined
  let next: string | undefined
  do {
    const limit = Math.min(pageSize, most - items.length)
    const query = { labelSelector, fieldSelector, limit, continue: next }
    const page = asPage(
      await transport.json({ path, query, accept: selection.metadataOnly ? metadataOnly : undefined }),
    )
    items.push(...page.items.slice(0, limit))
    resourceVersion = page.resourceVersion
    next = page.continueAt
  } while (next && items.length < most)
  return { items, resourceVersion }
}
