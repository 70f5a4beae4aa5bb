import type { ManifestObject } from '../../../adapters/helm/manifest.ts'

/** Accounts that a release gives rights to, by the names of its bindings: its pods ask the API server with these. */
function bindingsOfAccounts(objects: readonly ManifestObject[]): string[] {
  return objects
    .filter(({ kind }) => kind === 'RoleBinding' || kind === 'ClusterRoleBinding')
    .filter(({ body }) => Array.isArray(body.subjects) && body.subjects.some((one) => one?.kind === 'ServiceAccount'))
    .map(({ kind, name }) => `${kind} ${name}`)
}

/** Said where pods have rights that they cannot use; undefined where the release gives its accounts none. */
export function withoutApiServer(objects: readonly ManifestObject[]): string | undefined {
  const [first, ...others] = bindingsOfAccounts(objects)
  if (first === undefined) return undefined
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${first}${more} gives pods of this release rights at the API server, which the network of the space does not let them reach. If the cluster enforces network policies, ask somebody who edits the cluster to open it.`
}
