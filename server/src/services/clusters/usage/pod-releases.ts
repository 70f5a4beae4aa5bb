import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'

const releaseName = 'meta.helm.sh/release-name'
/** From a pod through ReplicaSet and Deployment, or Job and CronJob, with one to spare. */
const mostOwners = 4
/** Objects that one round reads; the pods of the rest have their release a round later. */
const mostReads = 200
const mostKnown = 20_000

/** No release has a name that is longer than Helm allows. */
const longestRelease = 53

type Reads = Pick<ClusterConnection, 'get' | 'resourceOf'>

/** Tells which Helm release pods belong to: Helm notes it on what it makes, and owner references lead there. */
export function createPodReleases() {
  /** Release by the cluster and the UID of a controller. */
  const known = new Map<string, string | null>()

  /** @param deadline the moment, by `performance.now()`, from which nothing more is read in this round */
  return function round(clusterId: string, connection: Reads, deadline: number) {
    let reads = 0

    /** Undefined: not read yet. */
    async function byOwner(object: KubeObject, height: number): Promise<string | null | undefined> {
      const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true)
      if (!owner) return noted(object)
      const key = `${clusterId}|${owner.uid}`
      const found = known.get(key)
      if (found !== undefined) return found
      if (height === mostOwners) return null
      if (reads === mostReads || performance.now() > deadline) return undefined
      reads += 1
      const served = await connection.resourceOf(owner.apiVersion, owner.kind)
      const namespace = served?.namespaced ? object.metadata.namespace : undefined
      const parent = served && (await connection.get(served.resource, namespace, owner.name))
      const isIt = parent && parent.metadata.uid === owner.uid
      const release = isIt ? await byOwner(parent, height + 1) : null
      if (release === undefined) return undefined
      if (known.size >= mostKnown) known.clear()
      known.set(key, release)
      return release
    }

    /** A controller that cannot be read leaves its pods without a release. */
    return async (pod: KubeObject): Promise<string | null> => (await byOwner(pod, 0).catch(() => undefined)) ?? null
  }
}

function noted({ metadata }: KubeObject): string | null {
  const name = metadata.annotations?.[releaseName]
  return name !== undefined && name.length <= longestRelease ? name : null
}
