import type { AdmissionControl } from './admission/admission-control.ts'
import type { Clock } from './clock.ts'
import type { Registry } from './resources/registry.ts'
import type { ClusterStore } from './store/memory-store.ts'
import type { WatchCache } from './store/watch-cache.ts'
import type { Access } from './auth/access.ts'
import type { Identity } from './auth/identity.ts'
import type { TokenAuthority } from './auth/tokens.ts'
import type { PodLog } from './pod-log.ts'

/** What every handler of the API may use. */
export interface ClusterContext {
  name: string
  clock: Clock
  store: ClusterStore
  registry: Registry
  watches: WatchCache
  admission: AdmissionControl
  access: Access
  tokens: TokenAuthority
  podLog: () => PodLog | undefined
}

/** A request that is authenticated and, where it names a resource, allowed. */
export interface Caller {
  identity: Identity
  userAgent: string
}
