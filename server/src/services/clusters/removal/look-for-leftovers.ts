import { setTimeout as sleep } from 'node:timers/promises'
import { readManifest } from '../../../adapters/helm/manifest.ts'
import type { Release } from '../../../adapters/helm/release.ts'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { Failure } from '../../../platform/http/errors.ts'
import { fieldsOf, textOf } from '../workloads/fields.ts'
import { objectsOfKind } from './definition-users.ts'
import { type Candidate, candidatesOf, definitions, detailOf, type LeftObject } from './leftovers.ts'

const mostLookedAt = 300
const goneWithinMs = 20_000
const lookEveryMs = 250

type Name = Pick<LeftObject, 'apiVersion' | 'kind' | 'name' | 'namespace'>

/** Objects that would stay in the cluster when this release is uninstalled; only those that exist now. */
export async function lookForLeftovers(
  connection: ClusterConnection,
  namespace: string,
  { release, crds }: { release: Pick<Release, 'manifest' | 'hooks'>; crds: readonly string[] },
): Promise<LeftObject[]> {
  const objects = readManifest(release.manifest)
  const hasClaims = objects.some(({ kind }) => kind === 'StatefulSet')
  const claims = hasClaims ? await connection.list('v1/persistentvolumeclaims', { namespace }) : []
  const candidates = candidatesOf({ objects, hooks: release.hooks, claims, crds }).slice(0, mostLookedAt)
  const own = new Set(objects.map(({ kind, name, namespace: at }) => `${kind}/${at ?? namespace}/${name}`))
  const found = await Promise.all(candidates.map((one) => lookAt(connection, namespace, one, own)))
  return found.filter((one) => one !== undefined)
}

/** Those of earlier leftovers that are still the objects that they were. */
export async function stillThere(connection: ClusterConnection, earlier: readonly LeftObject[]): Promise<LeftObject[]> {
  const found = await Promise.all(
    earlier.map(async (one) => ((await objectOf(connection, one))?.metadata.uid === one.uid ? one : undefined)),
  )
  return found.filter((one) => one !== undefined)
}

export type Removal = 'removed' | 'going' | 'gone' | 'changed' | { refused: string }

/**
 * Removes one leftover as the identity that `connection` has, if it still is the object that was looked at. `looking`
 * sees the whole cluster: a definition whose kind is used by then stays, or everything of that kind would go with it.
 */
export async function removeLeftover(
  connection: ClusterConnection,
  looking: ClusterConnection,
  left: LeftObject,
): Promise<Removal> {
  const served = await looking.resourceOf(left.apiVersion, left.kind)
  const found = await objectOf(looking, left)
  if (!served || !found) return 'gone'
  if (found.metadata.uid !== left.uid) return 'changed'
  const kept = left.kind === definitions.kind ? await whyKept(looking, found, new Set(), '') : null
  if (kept !== null) return { refused: kept }
  try {
    await connection.remove(served.resource, left.namespace ?? undefined, left.name)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'cluster.refused') throw error
    return (error as { httpStatus?: number }).httpStatus === 404 ? 'gone' : { refused: error.message }
  }
  // It was on its way before: who waits for what holds it is not this.
  if (found.metadata.deletionTimestamp !== undefined) return 'going'
  const until = Date.now() + goneWithinMs
  while (Date.now() < until) {
    if ((await objectOf(looking, left))?.metadata.uid !== left.uid) return 'removed'
    await sleep(lookEveryMs)
  }
  return 'going'
}

async function lookAt(
  connection: ClusterConnection,
  namespace: string,
  candidate: Candidate,
  own: ReadonlySet<string>,
): Promise<LeftObject | undefined> {
  const served = await connection.resourceOf(candidate.apiVersion, candidate.kind)
  if (!served) return undefined
  const within = served.namespaced ? (candidate.namespace ?? namespace) : null
  const found = await readable(connection.get(served.resource, within ?? undefined, candidate.name))
  // An object with an owner is deleted with its owner.
  if (!found || (found.metadata.ownerReferences?.length ?? 0) > 0) return undefined
  const refusal = candidate.kind === definitions.kind ? await whyKept(connection, found, own, namespace) : null
  return {
    ...candidate,
    namespace: within,
    uid: found.metadata.uid ?? '',
    detail: detailOf(found),
    refusal,
  }
}

async function objectOf(connection: ClusterConnection, { apiVersion, kind, name, namespace }: Name) {
  const served = await connection.resourceOf(apiVersion, kind)
  return served && readable(connection.get(served.resource, namespace ?? undefined, name))
}

/** An object that the portal may not read counts as absent: it could not be removed either. */
async function readable(reading: Promise<KubeObject | undefined>): Promise<KubeObject | undefined> {
  try {
    return await reading
  } catch (error) {
    const status = (error as { httpStatus?: number }).httpStatus
    if (status === 403 || status === 404) return undefined
    throw error
  }
}

/** Why a definition stays whoever asks: objects of its kind that are not the release's own would go with it. */
async function whyKept(
  connection: ClusterConnection,
  definition: KubeObject,
  own: ReadonlySet<string>,
  namespace: string,
): Promise<string | null> {
  const all = await objectsOfKind(connection, definition)
  if (!all) return 'Nobody can tell which objects there are of its kind'
  const kind = textOf(fieldsOf(fieldsOf(definition.spec).names).kind)
  const isOwn = ({ metadata }: KubeObject) => own.has(`${kind}/${metadata.namespace ?? namespace}/${metadata.name}`)
  const users = all.filter((one) => !isOwn(one)).length
  if (users === 0) return null
  return `${users === 1 ? 'One object' : `${users} objects`} of this kind in the cluster would be deleted with it`
}
