import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createAdmission } from './admission/admit.ts'
import { createAccess } from './auth/access.ts'
import { loadCertificates } from './auth/certificates.ts'
import { createTokenAuthority } from './auth/tokens.ts'
import { bootstrap } from './bootstrap/bootstrap.ts'
import { type Clock, createClock } from './clock.ts'
import type { ClusterContext } from './cluster-context.ts'
import { createApiServer } from './http/api-server.ts'
import { createFaultTable } from './http/faults.ts'
import { createPlainRoutes } from './http/plain-routes.ts'
import { kubeconfigFor } from './kubeconfig.ts'
import { createOpenApi } from './openapi/openapi-v3.ts'
import type { PodLog } from './pod-log.ts'
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
  /** Left out: none; for tests of the API alone. */
  startControllers?: (parts: { store: ClusterStore; clock: Clock }) => Controllers
}

export interface Controllers {
  close(): void
  podLog: PodLog
}

export interface Cluster {
  url: string
  /** YAML, with the authority's certificate and an administrator's token. */
  kubeconfig: string
  store: ClusterStore
  clock: Clock
  close(): Promise<void>
}

/** Starts a sandbox cluster: the Kubernetes API over HTTPS, its state in `dataDir`, its workloads simulated. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, port = 0, host = '127.0.0.1', speed = 1, name = 'sandbox' } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const certificates = await loadCertificates(dataDir, host)
  const clock = createClock(speed)
  const registry = createRegistry()
  const admission = createAdmission(() => store)
  const store = createStore({
    clock,
    journal: openJournal(dataDir),
    admit: (_resource, draft) => admission.create(draft),
    hasGeneration: (resource) => registry.keeper(resource)?.hasGeneration ?? false,
  })
  const watches = createWatchCache(store)
  const access = createAccess(store)
  const tokens = await createTokenAuthority(dataDir, store)
  let controllers: Controllers | undefined
  const context: ClusterContext = {
    name,
    clock,
    store,
    registry,
    watches,
    admission,
    access,
    tokens,
    podLog: () => controllers?.podLog,
  }
  const faults = createFaultTable()
  const plain = createPlainRoutes({ openApi: createOpenApi(registry), faults, tokens })
  let url = ''
  const server = createApiServer({ context, certificates, faults, plain, address: () => url.replace('https://', '') })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      listening()
    })
  })
  url = `https://${host}:${(server.address() as AddressInfo).port}`
  const stopBootstrap = bootstrap({ store, clock, caPem: certificates.caPem, address: url })
  controllers = options.startControllers?.({ store, clock })
  return {
    url,
    kubeconfig: kubeconfigFor({ name, url, caPem: certificates.caPem, token: tokens.adminToken }),
    store,
    clock,
    async close() {
      controllers?.close()
      stopBootstrap()
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
      watches.close()
      access.close()
      clock.close()
      store.close()
    },
  }
}
