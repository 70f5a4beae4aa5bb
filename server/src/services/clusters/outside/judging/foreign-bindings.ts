import type { ClusterConnection, KubeObject } from '../../../../adapters/kubernetes/kubernetes.ts'
import { fieldsOf, textOf } from '../../workloads/fields.ts'

/** Where a space is on a cluster. */
export interface SpacePlace {
  spaceId: string
  namespace: string
}

export const clusterRoleBindings = 'rbac.authorization.k8s.io/v1/clusterrolebindings'

/** Key of an object that a release of a space holds. */
export const heldKey = (spaceId: string, name: string) => `${spaceId} ${name}`

/**
 * Bindings on the whole cluster that give accounts of spaces rights, whoever made them, but for those that releases
 * hold. One that names every account of the cluster is the cluster's own affair and gives none of them more than all have.
 */
export function foreignBindings(
  bindings: readonly KubeObject[],
  spaces: readonly SpacePlace[],
  held: ReadonlySet<string>,
): (SpacePlace & { name: string })[] {
  return bindings.flatMap((binding) => {
    const { name } = binding.metadata
    const namespaces = new Set(subjectsOf(binding).map(namespaceOf))
    return spaces
      .filter(({ namespace, spaceId }) => namespaces.has(namespace) && !held.has(heldKey(spaceId, name)))
      .map((space) => ({ ...space, name }))
  })
}

export const listBindings = (connection: Pick<ClusterConnection, 'list'>) => connection.list(clusterRoleBindings, {})

const subjectsOf = ({ subjects }: KubeObject): unknown[] => (Array.isArray(subjects) ? subjects : [])

/** An account is named as itself, as the user that it is for the API, or by the group of its namespace. */
function namespaceOf(subject: unknown): string | undefined {
  const { kind, namespace, name } = fieldsOf(subject)
  if (kind === 'ServiceAccount') return textOf(namespace)
  if (kind === 'User') return /^system:serviceaccount:([^:]+):/.exec(textOf(name))?.[1]
  return kind === 'Group' ? /^system:serviceaccounts:([^:]+)$/.exec(textOf(name))?.[1] : undefined
}
