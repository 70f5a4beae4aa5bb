import type { ClusterConnection, KubeObject } from '../../../../adapters/kubernetes/kubernetes.ts'
import { judgedFor } from '../../../../adapters/kubernetes/space/judged-revisions.ts'
import { KubeRefusal } from '../../../../adapters/kubernetes/transport.ts'
import { fail } from '../../../../platform/http/errors.ts'

const secrets = 'v1/secrets'
const mostTries = 10

/** The Secret of a revision, and the account of the action that rolls back to it. */
interface Lock {
  namespace: string
  name: string
  account: string
}

/**
 * Marks a Secret, so that the admission policy of such marks lets only that account change it.
 * @returns the Secret as it stays from here on; undefined when it is not there
 * @throws `cluster.refused` when it is just being deleted, or others change it again and again
 */
export async function lockRevision(
  connection: Pick<ClusterConnection, 'get' | 'replace'>,
  { namespace, name, account }: Lock,
): Promise<KubeObject | undefined> {
  return changed(connection, { namespace, name }, (found) => {
    // Finalizers of others would still let it go, and anybody could make another one then.
    if (found.metadata.deletionTimestamp !== undefined)
      throw fail('cluster.refused', { message: `The Secret ${name} is just being deleted.` })
    // The cluster removes what has an owner with that owner, which people of the space can delete.
    const { ownerReferences: _, ...metadata } = found.metadata
    return { ...found, metadata: { ...metadata, annotations: { ...metadata.annotations, [judgedFor]: account } } }
  })
}

/** Takes the mark of that account off again; that of another action stays. */
export async function unlockRevision(
  connection: Pick<ClusterConnection, 'get' | 'replace'>,
  { namespace, name, account }: Lock,
): Promise<void> {
  await changed(connection, { namespace, name }, (found) => {
    const { [judgedFor]: of, ...annotations } = found.metadata.annotations ?? {}
    return of === account ? { ...found, metadata: { ...found.metadata, annotations } } : undefined
  })
}

/**
 * Takes marks off that belong to no action any more: their record was lost.
 * @param accounts asks for the accounts of the actions that hold one, after the marks were read
 * @returns the names of the Secrets
 */
export async function unlockForgotten(
  connection: Pick<ClusterConnection, 'get' | 'list' | 'replace'>,
  namespace: string,
  accounts: () => Promise<ReadonlySet<string>>,
): Promise<string[]> {
  const all = await connection.list(secrets, {
    namespace,
    fieldSelector: 'type=helm.sh/release.v1',
    metadataOnly: true,
  })
  const marked = all.flatMap(({ metadata: { name, annotations } }) => {
    const account = annotations?.[judgedFor]
    return account === undefined ? [] : [{ namespace, name, account }]
  })
  if (marked.length === 0) return []
  const known = await accounts()
  const forgotten = marked.filter(({ account }) => !known.has(account))
  for (const lock of forgotten) await unlockRevision(connection, lock)
  return forgotten.map(({ name }) => name)
}

/** Changes a Secret as it is at that moment, also while others write it. @param change undefined: it stays as it is */
async function changed(
  connection: Pick<ClusterConnection, 'get' | 'replace'>,
  { namespace, name }: Pick<Lock, 'namespace' | 'name'>,
  change: (found: KubeObject) => KubeObject | undefined,
): Promise<KubeObject | undefined> {
  for (let tries = 1; ; tries += 1) {
    const found = await connection.get(secrets, namespace, name)
    const wanted = found && change(found)
    if (!wanted) return found
    try {
      return await connection.replace(secrets, wanted)
    } catch (error) {
      const isMeanwhile = error instanceof KubeRefusal && (error.httpStatus === 409 || error.httpStatus === 404)
      if (!isMeanwhile || tries >= mostTries) throw error
    }
  }
}
