import type { AdmissionControl } from './admission/admission-control.ts'
import type { Access } from './auth/access.ts'
import type { TokenAuthority } from './auth/tokens.ts'
import type { Clock } from './clock.ts'
import type { Controllers } from './controllers/controllers.ts'
import type { Registry } from './resources/registry.ts'
import type { ClusterStore } from './store/memory-store.ts'
import type { WatchCache } from './store/watch-cache.ts'

/** Parts of the cluster that every handler of the API can use. */
export interface ClusterContext {
  name: string
  clock: Clock
  store: ClusterStore
  registry: Registry
  watches: WatchCache
  admission: AdmissionControl
  access: Access
  tokens: TokenAuthority
  /** The longest that a token may live, as `--service-account-max-token-expiration` says it; no limit when left out. */
  maxTokenSeconds: number | undefined
  /** State that only the kubelet of a pod's node has; undefined while the workloads stand still. */
  kubelet: () => Pick<Controllers, 'podLog' | 'podUsage'> | undefined
}
