import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { fieldsOf, listOf, textOf } from '../workloads/fields.ts'
import { cleanText } from '../workloads/foreign-text.ts'
import { quantityOf } from '../workloads/quantity.ts'

export interface ClaimUse {
  namespace: string
  release: string | null
  storageClass: string
  bytes: number
}
export interface LoadBalancerUse {
  namespace: string
  release: string | null
}

const releaseName = 'meta.helm.sh/release-name'
/** Claims and services change seldom, and rounds are often. */
const keptMs = 120_000
const mostKept = 2000

interface Kept {
  at: number
  claims: KubeObject[]
  services: KubeObject[]
}

/** Reads the claims and load balancers of namespaces, each for two minutes at a time. */
export function createSpaceAssets() {
  const kept = new Map<string, Kept>()

  /** @param releases releases of pods by their names, which tell whose the claims are that they mount */
  return async function assets(
    { clusterId, namespace }: { clusterId: string; namespace: string },
    connection: Pick<ClusterConnection, 'list'>,
    pods: readonly { pod: KubeObject; release: string | null }[],
  ): Promise<{ claims: ClaimUse[]; loadBalancers: LoadBalancerUse[] }> {
    const key = `${clusterId}/${namespace}`
    let found = kept.get(key)
    if (found === undefined || performance.now() - found.at > keptMs) {
      const [claims, services] = await Promise.all([
        connection.list('v1/persistentvolumeclaims', { namespace }),
        connection.list('v1/services', { namespace }),
      ])
      found = { at: performance.now(), claims, services: services.filter(isLoadBalancer) }
      if (kept.size >= mostKept) kept.clear()
      kept.set(key, found)
    }
    const mounted = mountedBy(pods)
    return {
      claims: found.claims.map((claim) => ({
        namespace,
        release: mounted.get(claim.metadata.name) ?? noted(claim),
        storageClass: cleanText(textOf(fieldsOf(claim.spec).storageClassName), 253),
        bytes: quantityOf(fieldsOf(fieldsOf(fieldsOf(claim.spec).resources).requests).storage),
      })),
      loadBalancers: found.services.map((service) => ({ namespace, release: noted(service) })),
    }
  }
}

const isLoadBalancer = ({ spec }: KubeObject) => fieldsOf(spec).type === 'LoadBalancer'
const noted = ({ metadata }: KubeObject) => metadata.annotations?.[releaseName] ?? null

/** Releases by the claims that their pods mount; a stateful set's claims bear no name of a release. */
function mountedBy(pods: readonly { pod: KubeObject; release: string | null }[]): Map<string, string> {
  const releases = new Map<string, string>()
  for (const { pod, release } of pods) {
    if (release === null) continue
    for (const { name, persistentVolumeClaim, ephemeral } of listOf(fieldsOf(pod.spec).volumes)) {
      const claim = textOf(fieldsOf(persistentVolumeClaim).claimName)
      if (claim !== '') releases.set(claim, release)
      // The cluster names the claim of such a volume after its pod.
      if (ephemeral !== undefined) releases.set(`${pod.metadata.name}-${textOf(name)}`, release)
    }
  }
  return releases
}
