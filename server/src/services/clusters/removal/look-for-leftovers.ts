import { setTimeout as sleep } from 'node:timers/promises'
import { type ManifestObject, ManifestUnreadableError } from '../../../adapters/helm/manifest.ts'
import { readManifestInWorker } from '../../../adapters/helm/parse-manifest.ts'
import type { Release } from '../../../adapters/helm/release.ts'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { Failure } from '../../../platform/http/errors.ts'
import { groupOf } from '../outside/group-of.ts'
import { keyOf } from '../outside/outside-objects.ts'
import type { ReleaseRef } from '../releases/release-ref.ts'
import { fieldsOf, textOf } from '../workloads/fields.ts'
import { objectsOfKind } from './definition-users.ts'
import { type Candidate, candidatesOf, definitions, detailOf, type LeftObject } from './leftovers.ts'
import { isOfRelease } from './orphans.ts'

const mostLookedAt = 300
const goneWithinMs = 20_000
const lookEveryMs = 250

type Name = Pick<LeftObject, 'apiVersion' | 'kind' | 'name' | 'namespace'>

/** A release, and which objects outside of its namespace are its own. */
interface LookedAt {
  place: Pick<ReleaseRef, 'namespace' | 'releaseName'>
  release: Pick<Release, 'manifest' | 'hooks'>
  /** Names of the definitions that the package ships apart from its templates. */
  crds: readonly string[]
  /** Keys of objects outside of the namespace that the release was given rights for. */
  held: ReadonlySet<string>
}

/** Objects that would stay in the cluster when this release is uninstalled; only those that exist now. */
export async function lookForLeftovers(connection: ClusterConnection, looked: LookedAt): Promise<LeftObject[]> {
  const { release, crds, place } = looked
  const { namespace } = place
  const objects = await objectsOf(release.manifest)
  const hasClaims = objects.some(({ kind }) => kind === 'StatefulSet')
  const claims = hasClaims ? await connection.list('v1/persistentvolumeclaims', { namespace }) : []
  const hooks = await Promise.all(
    release.hooks.map(async ({ events, manifest }) => ({ events, objects: await objectsOf(manifest) })),
  )
  const candidates = candidatesOf({ objects, hooks, claims, crds }).slice(0, mostLookedAt)
  const own = new Set(objects.map(({ kind, name, namespace: at }) => `${kind}/${at ?? namespace}/${name}`))
  const found = await Promise.all(candidates.map((one) => lookAt(connection, looked, one, own)))
  return found.filter((one) => one !== undefined)
}

/** Objects of a manifest; what nobody here can read, Helm deletes in its own way. */
async function objectsOf(manifest: string): Promise<readonly ManifestObject[]> {
  try {
    return await readManifestInWorker(manifest)
  } catch (error) {
    if (error instanceof ManifestUnreadableError) return []
    throw error
  }
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
  looked: LookedAt,
  candidate: Candidate,
  own: ReadonlySet<string>,
): Promise<LeftObject | undefined> {
  const { namespace } = looked.place
  const served = await connection.resourceOf(candidate.apiVersion, candidate.kind)
  if (!served) return undefined
  const within = served.namespaced ? (candidate.namespace ?? namespace) : null
  const found = await readable(connection.get(served.resource, within ?? undefined, candidate.name))
  // An object with an owner is deleted with its owner.
  if (!found || (found.metadata.ownerReferences?.length ?? 0) > 0) return undefined
  if (within !== namespace && !isOwnOutside(found, { ...candidate, namespace: within }, looked)) return undefined
  const refusal = candidate.kind === definitions.kind ? await whyKept(connection, found, own, namespace) : null
  return {
    ...candidate,
    namespace: within,
    uid: found.metadata.uid ?? '',
    detail: detailOf(found),
    refusal,
  }
}

/**
 * Tells whether an object outside of the space is of this release. The release's own word is no proof: it is written by
 * everybody who may write Secrets of the space, and they would learn what others have.
 */
function isOwnOutside(
  { metadata: { annotations = {} } }: KubeObject,
  { apiVersion, kind, name, namespace }: Name,
  { place, crds, held }: LookedAt,
): boolean {
  const isOfPackage = kind === definitions.kind && groupOf(apiVersion) === groupOf(definitions.apiVersion)
  if (isOfPackage && crds.includes(name)) return true
  if (isOfRelease(annotations, place.namespace, place.releaseName)) return true
  return held.has(keyOf({ group: groupOf(apiVersion), kind, namespace, name }))
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
