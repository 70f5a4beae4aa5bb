import type { KubeObject } from '../../../../adapters/kubernetes/kubernetes.ts'
import { isOfAny } from '../../removal/orphans.ts'
import { type Fields, fieldsOf, listOf, textOf, textsOf } from '../../workloads/fields.ts'

/** A cluster role that takes up the rules of all others with certain labels. */
export interface Gatherer {
  name: string
  /** Namespace of the release that brought it; null where it is nobody's, as those of the cluster. */
  namespace: string | null
  selectors: readonly Fields[]
}

interface GathererSurroundings {
  namespace: string
  gatherers?: readonly Gatherer[]
}

export function gatherersAmong(roles: readonly KubeObject[]): Gatherer[] {
  return roles.flatMap(({ metadata: { name, annotations = {} }, aggregationRule }) => {
    const selectors = listOf(fieldsOf(aggregationRule).clusterRoleSelectors)
    if (selectors.length === 0) return []
    const namespace = isOfAny(annotations) ? textOf(annotations['meta.helm.sh/release-namespace']) : null
    return [{ name, namespace, selectors }]
  })
}

interface Adding {
  /** Holders of other roles get this one with what they have. */
  isAdding: boolean
  /** More of the content that the digest is taken of: names of roles that no label tells. */
  content: { gatheredBy: string[] }[]
  grants: string[]
  /** The same about roles that releases in the namespaces of others have brought. */
  elsewhere: string[]
}

const adds = (name: string) => `adds this to what the role ${name} gives`

/**
 * Says to which roles a cluster role adds its rules: by labels that name a role, which may come later, and by what the
 * roles of the cluster gather.
 * @param isWide it is one of the whole cluster; those of a namespace are gathered by nobody
 */
export function addsTo(
  body: Fields,
  { isWide, name, around }: { isWide: boolean; name: string; around: GathererSurroundings },
): Adding {
  if (!isWide) return { isAdding: false, content: [], grants: [], elsewhere: [] }
  // Helm marks what it makes, and a role can gather by that as well.
  const labels = { ...fieldsOf(fieldsOf(body.metadata).labels), 'app.kubernetes.io/managed-by': 'Helm' }
  const named = Object.keys(labels).flatMap((key) => /(?:^|\/)aggregate-to-(.+)$/.exec(key)?.[1] ?? [])
  const found = (around.gatherers ?? [])
    .filter((one) => one.name !== name && !named.includes(one.name))
    .filter(({ selectors }) => selectors.some((selector) => selects(selector, labels)))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  const isNear = (one: Gatherer) => one.namespace === null || one.namespace === around.namespace
  const [near, far] = [found.filter(isNear), found.filter((one) => !isNear(one))]
  return {
    isAdding: named.length + found.length > 0,
    content: found.length > 0 ? [{ gatheredBy: found.map((one) => one.name) }] : [],
    grants: [
      ...[...named, ...near.map((one) => one.name)].map(adds),
      ...(far.length > 0 ? ['adds this to what roles of releases in other namespaces give'] : []),
    ],
    elsewhere: far.map((one) => adds(one.name)),
  }
}

/** Reads a selector of labels as Kubernetes does: an empty one selects everything; so does one that it does not know. */
function selects({ matchLabels, matchExpressions }: Fields, labels: Fields): boolean {
  // A label that is null is none.
  const read = (key: string) => (Object.hasOwn(labels, key) && labels[key] !== null ? String(labels[key]) : undefined)
  return (
    Object.entries(fieldsOf(matchLabels)).every(([key, value]) => read(key) === value) &&
    listOf(matchExpressions).every(({ key, operator, values }) => {
      const value = read(textOf(key))
      if (operator === 'In') return value !== undefined && textsOf(values).includes(value)
      if (operator === 'NotIn') return value === undefined || !textsOf(values).includes(value)
      if (operator === 'Exists') return value !== undefined
      return operator !== 'DoesNotExist' || value === undefined
    })
  )
}
