import { type ManifestObject, ManifestUnreadableError } from '../../../adapters/helm/manifest.ts'
import { readManifestInWorker } from '../../../adapters/helm/parse-manifest.ts'
import {
  decodeRelease,
  type Release,
  type ReleaseSecret,
  ReleaseUnreadableError,
  withStatus,
} from '../../../adapters/helm/release.ts'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { fail } from '../../../platform/http/errors.ts'
import { fieldsOf, textOf } from '../workloads/fields.ts'
import { lastMoment } from '../workloads/moments.ts'

/** A release with the objects that it is made of. */
export interface ReleaseContent {
  release: Release
  objects: ManifestObject[]
  /** Kind and name of what its hooks make. */
  hooks: { kind: string; name: string }[]
  /** When its Secret last changed, by the cluster's clock. */
  changedAt: number
}

/** The revision that counts, and what the ones before it are. */
export interface NewestRelease extends ReleaseContent {
  /** Number and status of every revision, newest first, as the labels of their Secrets tell. */
  history: { revision: number; status: string }[]
}

export interface ReleaseHistory {
  revisions: Release[]
  /** Release Secrets that hold nothing that anybody could read. */
  unreadable: KubeObject[]
  /** Copies of such that a repair has put out of Helm's way. */
  aside: KubeObject[]
}

const secrets = 'v1/secrets'
const kept = 200

/** Name of the Secret in which Helm keeps a revision. */
export const secretOf = (releaseName: string, revision: number) => `sh.helm.release.v1.${releaseName}.v${revision}`

export function selectorOf(releaseName: string): string {
  return `owner=helm,name=${releaseName}`
}

/**
 * Reads releases out of a cluster. Content that was decoded once, and the reason why it could not be, is kept until its
 * Secret changes; looks at the same time share one reading.
 */
export function createReleases() {
  const decoded = new Map<string, Promise<ReleaseContent>>()

  function contentOf(secret: KubeObject): Promise<ReleaseContent> {
    const key = `${secret.metadata.uid}|${secret.metadata.resourceVersion}`
    const known = decoded.get(key)
    if (known) return known
    const reading = readContent(secret)
    const oldest = decoded.size >= kept ? decoded.keys().next().value : undefined
    if (oldest !== undefined) decoded.delete(oldest)
    if (secret.metadata.uid) decoded.set(key, reading)
    reading.catch((error: unknown) => {
      if (!(error instanceof ReleaseUnreadableError)) decoded.delete(key)
    })
    return reading
  }

  return {
    contentOf,

    /**
     * All revisions, newest first, and the Secrets of those that cannot be read, which do not hide the others. A Secret that
     * says it was another revision than its name is no revision: Helm goes back to one by the name.
     */
    async history(connection: ClusterConnection, namespace: string, releaseName: string): Promise<ReleaseHistory> {
      const found = await connection.list(secrets, { namespace, labelSelector: selectorOf(releaseName) })
      const own = found.filter(isReleaseSecret)
      const releases = await Promise.all(own.map((secret) => readable(secret)))
      const revisions = releases.filter(
        (release, at) => release && own[at]?.metadata.name === secretOf(releaseName, release.revision),
      )
      return {
        revisions: revisions.filter((one) => one !== undefined).sort((a, b) => b.revision - a.revision),
        unreadable: own.filter((_, index) => releases[index] === undefined),
        aside: found.filter(isAside),
      }
    },

    /** One revision; undefined where there is none. */
    async revision(
      connection: ClusterConnection,
      namespace: string,
      releaseName: string,
      revision: number,
    ): Promise<Release | undefined> {
      const secret = await connection.get(secrets, namespace, secretOf(releaseName, revision))
      return secret && isReleaseSecret(secret) ? (await contentOf(secret)).release : undefined
    },

    /** The newest revision, asking for no more than its own Secret. */
    async newest(
      connection: ClusterConnection,
      namespace: string,
      releaseName: string,
    ): Promise<NewestRelease | undefined> {
      const labelSelector = selectorOf(releaseName)
      const listed = await connection.list(secrets, { namespace, labelSelector, metadataOnly: true })
      const found = listed.filter((each) => !isAside(each))
      const [latest] = found.sort((a, b) => revisionOf(b) - revisionOf(a))
      if (!latest) return undefined
      const history = found.map((each) => ({ revision: revisionOf(each), status: each.metadata.labels?.status ?? '' }))
      const known = decoded.get(`${latest.metadata.uid}|${latest.metadata.resourceVersion}`)
      if (known) return { ...(await known), history }
      const secret = await connection.get(secrets, namespace, latest.metadata.name)
      return secret && isReleaseSecret(secret) ? { ...(await contentOf(secret)), history } : undefined
    },
  }
}
export type Releases = ReturnType<typeof createReleases>

/** @throws ReleaseUnreadableError for a release, or a manifest in it, that cannot be read in time */
async function readContent(secret: KubeObject): Promise<ReleaseContent> {
  const release = await releaseOf(secret)
  const objects = await readManifestInWorker(release.manifest).catch((error: unknown) => {
    if (!(error instanceof ManifestUnreadableError)) throw error
    throw new ReleaseUnreadableError(`${secret.metadata.name}: ${error.message}`, { cause: error })
  })
  const hooks = release.hooks.map(({ kind, name }) => ({ kind, name }))
  return { release, objects, hooks, changedAt: lastMoment(secret) }
}

/** Writes another status into a revision, if it still has the one that was seen. False when it has not. */
export async function setReleaseStatus(
  connection: ClusterConnection,
  namespace: string,
  releaseName: string,
  change: { revision: number; from: string; to: 'failed' | 'superseded'; description: string },
): Promise<boolean> {
  const secret = await connection.get(secrets, namespace, secretOf(releaseName, change.revision))
  if (!secret || !isReleaseSecret(secret)) return false
  const release = await releaseOf(secret)
  if (release.status !== change.from) return false
  const data = await withStatus(asReleaseSecret(secret), change.to, change.description)
  const labels = { ...secret.metadata.labels, status: change.to }
  try {
    // The resourceVersion that was read goes along: a Helm that wrote in between wins.
    await connection.replace(secrets, { ...secret, metadata: { ...secret.metadata, labels }, data })
    return true
  } catch (error) {
    if (statusOf(error) === 409 || statusOf(error) === 404) return false
    throw error
  }
}

/**
 * Puts a revision that nobody can read out of Helm's way: its Secret becomes one that is no revision any more. A copy
 * and not nothing, because somebody may yet want to look into it. False when there is none, or it can be read.
 */
export async function setRevisionAside(
  connection: ClusterConnection,
  namespace: string,
  releaseName: string,
  revision: number,
): Promise<boolean> {
  const secret = await connection.get(secrets, namespace, secretOf(releaseName, revision))
  if (!secret || !isReleaseSecret(secret) || (await readable(secret))) return false
  const { name } = secret.metadata
  const labels = { owner: 'helm', name: releaseName }
  const copy = { name: `${name}${aside}`, namespace, labels }
  await connection.apply(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: copy,
    type: 'Opaque',
    data: secret.data,
  })
  await connection.remove(secrets, namespace, name)
  return true
}

const aside = '.unreadable'

/** By its name alone, which a list of metadata tells, too. */
function isAside({ metadata: { name } }: KubeObject): boolean {
  return name.startsWith('sh.helm.release.v1.') && name.endsWith(aside)
}

export function isReleaseSecret(secret: KubeObject): boolean {
  return secret.type === 'helm.sh/release.v1' && secret.metadata.name.startsWith('sh.helm.release.v1.')
}

export function revisionOf(secret: KubeObject): number {
  return Number(/\.v(\d{1,9})$/.exec(secret.metadata.name)?.[1] ?? 0)
}

/** @throws ReleaseUnreadableError */
export const releaseOf = (secret: KubeObject): Promise<Release> => decodeRelease(asReleaseSecret(secret))

function asReleaseSecret(secret: KubeObject): ReleaseSecret {
  const data = Object.fromEntries(Object.entries(fieldsOf(secret.data)).map(([key, value]) => [key, textOf(value)]))
  return { metadata: secret.metadata, data }
}

async function readable(secret: KubeObject): Promise<Release | undefined> {
  try {
    return await releaseOf(secret)
  } catch (error) {
    if (error instanceof ReleaseUnreadableError) return undefined
    throw error
  }
}

function statusOf(error: unknown): number | undefined {
  return (error as { httpStatus?: number }).httpStatus
}

/** For views, where a manifest that cannot be read is the cluster's answer and not our fault. */
export function asRefusal(error: unknown): never {
  if (error instanceof ReleaseUnreadableError) throw fail('cluster.refused', { message: error.message, cause: error })
  throw error
}
