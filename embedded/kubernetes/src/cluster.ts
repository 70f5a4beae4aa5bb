import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createAdmission } from './admission/admit.ts'
import { followQuotas } from './admission/quota-status.ts'
import { type Access, createAccess } from './auth/access.ts'
import { followAggregation } from './auth/aggregation.ts'
import { loadCertificates } from './auth/certificates.ts'
import { secretTokenSigner } from './auth/secret-tokens.ts'
import { createTokenAuthority } from './auth/tokens.ts'
import { bootstrap } from './bootstrap/bootstrap.ts'
import { type Clock, createClock } from './clock.ts'
import type { ClusterContext } from './cluster-context.ts'
import { type Controllers, startControllers } from './controllers/controllers.ts'
import { followDefinitions } from './crd/definitions.ts'
import { createApiServer } from './http/api-server.ts'
import { createDiscoveryRoutes } from './http/discovery-routes.ts'
import { createFaultTable } from './http/faults.ts'
import { createNodePools } from './http/node-pools.ts'
import { createPlainRoutes } from './http/plain-routes.ts'
import { kubeconfigFor } from './kubeconfig.ts'
import { createOpenApi } from './openapi/openapi-v3.ts'
import { createRegistry } from './resources/registry.ts'
import { openJournal } from './store/journal.ts'
import { type ClusterStore, createStore } from './store/memory-store.ts'
import { createWatchCache } from './store/watch-cache.ts'

export interface ClusterOptions {
  /** Where keys, tokens and objects are kept; made when missing. */
  dataDir: string
  /** 0, or left out: any free one. */
  port?: number
  host?: string
  /** Simulated seconds per real second. */
  speed?: number
  name?: string
  /** false: the API alone, and nothing that is created comes to life. */
  workloads?: boolean
  /** The longest that a token of a service account may live; tokens asked for longer are shortened, with a warning. */
  maxTokenSeconds?: number
  /** Time until a change of admission policies counts, which a real API server takes a second or more for; 0 when left out. */
  policiesAfterMs?: number
}

export interface Cluster {
  url: string
  /** YAML, with the authority's certificate and an administrator's token. */
  kubeconfig: string
  store: ClusterStore
  clock: Clock
  close(): Promise<void>
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((listening, failed) => {
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      listening((server.address() as AddressInfo).port)
    })
  })
}

/** A port that was found free once is used again, so that kubeconfigs handed out stay true. */
function rememberedPort(dataDir: string, wanted: number): number {
  if (wanted !== 0) return wanted
  const path = join(dataDir, 'port')
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
}

async function listenSomewhere(server: Server, dataDir: string, wanted: number, host: string): Promise<number> {
  const remembered = rememberedPort(dataDir, wanted)
  const port = await listen(server, remembered, host).catch((error: NodeJS.ErrnoException) => {
    if (wanted !== 0 || remembered === 0 || error.code !== 'EADDRINUSE') throw error
    return listen(server, 0, host)
  })
  writeFileSync(join(dataDir, 'port'), String(port), { mode: 0o600 })
  return port
}

/** Everything of a cluster that keeps objects, before anybody is let in. */
async function openObjects(
  { dataDir, policiesAfterMs }: Pick<ClusterOptions, 'dataDir' | 'policiesAfterMs'>,
  clock: Clock,
  name: string,
) {
  const registry = createRegistry()
  const allows: Access['allows'] = (identity, wanted) => access.allows(identity, wanted)
  const admission = createAdmission(() => store, registry, allows, policiesAfterMs)
  const store: ClusterStore = createStore({
    clock,
    journal: openJournal(dataDir),
    admit: (resource, draft) => admission.create(resource, draft),
    hasGeneration: (resource) => registry.keeper(resource)?.hasGeneration ?? false,
  })
  const watches = createWatchCache(store)
  const access = createAccess(store)
  const tokens = await createTokenAuthority(dataDir, store, clock)
  const stops = [followDefinitions(store, registry), followAggregation(store), followQuotas(store, clock)]
  const context = { name, clock, store, registry, watches, admission, access, tokens }
  return {
    context,
    close() {
      for (const stop of stops) stop()
      watches.close()
      access.close()
      store.close()
    },
  }
}

/** Starts a sandbox cluster: the Kubernetes API over HTTPS, its state in `dataDir`, its workloads simulated. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, port: wanted = 0, host = '127.0.0.1', speed = 1, name = 'sandbox' } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const certificates = await loadCertificates(dataDir, host)
  const clock = createClock(speed)
  const objects = await openObjects(options, clock, name)
  let controllers: Controllers | undefined
  const context: ClusterContext = {
    ...objects.context,
    maxTokenSeconds: options.maxTokenSeconds,
    kubelet: () => controllers,
  }
  const { store, tokens, registry, access } = context
  const faults = createFaultTable()
  const plain = createPlainRoutes({
    openApi: createOpenApi(registry),
    registry,
    faults,
    tokens,
    pools: createNodePools(store, clock),
  })
  let address = ''
  const discovery = createDiscoveryRoutes(registry, () => address)
  const server = createApiServer({ context, certificates, faults, plain, discovery })
  const port = await listenSomewhere(server, dataDir, wanted, host)
  address = `${host}:${port}`
  bootstrap({ store, clock, caPem: certificates.caPem, host, port })
  if (options.workloads !== false) {
    const caCertificate = certificates.caPem
    controllers = startControllers({ store, clock, caCertificate, access, signToken: secretTokenSigner(dataDir) })
  }
  const url = `https://${address}`
  return {
    url,
    kubeconfig: kubeconfigFor({ name, url, caPem: certificates.caPem, token: tokens.adminToken }),
    store,
    clock,
    async close() {
      controllers?.close()
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
      objects.close()
      clock.close()
    },
  }
}
