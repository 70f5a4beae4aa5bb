import { ManifestUnreadableError } from '../../../../adapters/helm/manifest.ts'
import { readManifestInWorker } from '../../../../adapters/helm/parse-manifest.ts'
import type { Release } from '../../../../adapters/helm/release.ts'
import type { ClusterConnection } from '../../../../adapters/kubernetes/kubernetes.ts'
import { tokenSecretType } from '../../../../adapters/kubernetes/space/lasting-tokens.ts'
import { removeIfThere } from '../../../../adapters/kubernetes/space/portal-namespace.ts'
import type { Releases } from '../../releases/releases.ts'

const secrets = 'v1/secrets'

/**
 * Removes the tokens without an end that no release of a space's namespace brings: they outlive whoever made them.
 * While a release there cannot be read, nobody can tell whose they are, and they stay.
 * @returns the names of what was removed
 */
export async function removeLastingTokens(
  connection: Pick<ClusterConnection, 'get' | 'list' | 'remove'>,
  releases: Pick<Releases, 'history'>,
  namespace: string,
): Promise<string[]> {
  const all = await connection.list(secrets, { namespace, fieldSelector: `type=${tokenSecretType}` })
  const tokens = all.filter(({ type }) => type === tokenSecretType).map(({ metadata }) => metadata.name)
  if (tokens.length === 0) return []
  // Read after the tokens: a release says what it brings before it makes that.
  const owned = await secretsOfReleases(connection, releases, namespace)
  if (!owned) return []
  const foreign = tokens.filter((name) => !owned.has(name))
  for (const name of foreign) await removeIfThere(connection, secrets, namespace, name)
  return foreign
}

async function secretsOfReleases(
  connection: Pick<ClusterConnection, 'list'>,
  releases: Pick<Releases, 'history'>,
  namespace: string,
): Promise<Set<string> | undefined> {
  const kept = await connection.list(secrets, { namespace, labelSelector: 'owner=helm', metadataOnly: true })
  const names = new Set(kept.flatMap(({ metadata }) => metadata.labels?.name ?? []))
  const owned = new Set<string>()
  for (const name of names) {
    const { revisions, unreadable } = await releases.history(connection as ClusterConnection, namespace, name)
    if (unreadable.length > 0) return undefined
    for (const revision of revisions) {
      const brought = await secretsOf(revision)
      if (!brought) return undefined
      for (const each of brought) owned.add(each)
    }
  }
  return owned
}

async function secretsOf({ manifest, hooks }: Release): Promise<string[] | undefined> {
  try {
    const objects = [...(await readManifestInWorker(manifest)), ...hooks]
    return objects.filter(({ kind }) => kind === 'Secret').map(({ name }) => name)
  } catch (error) {
    if (error instanceof ManifestUnreadableError) return undefined
    throw error
  }
}
