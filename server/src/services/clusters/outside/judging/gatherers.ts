import type { KubeObject } from '../../../../adapters/kubernetes/kubernetes.ts'
import { isOfAny } from '../../removal/orphans.ts'
import { type Fields, fieldsOf, listOf, textOf, textsOf } from '../../workloads/fields.ts'

/** A cluster role that takes up the rules of all others with certain labels. */
export interface Gatherer {
  name: string
  /** Namespace of the release that brought it; null where it is nobody's, as those of the cluster. */
  namespace: string | null
  selectors: readonly Fields[]
  /** Others may gather it by these, and with it what it gathers. */
  labels: Fields
}

interface GathererSurroundings {
  namespace: string
  gatherers?: readonly Gatherer[]
}

export function gatherersAmong(roles: readonly KubeObject[]): Gatherer[] {
  return roles.flatMap(({ metadata: { name, annotations = {}, labels = {} }, aggregationRule }) => {
    const selectors = listOf(fieldsOf(aggregationRule).clusterRoleSelectors)
    if (selectors.length === 0) return []
    const namespace = isOfAny(annotations) ? textOf(annotations['meta.helm.sh/release-namespace']) : null
    return [{ name, namespace, selectors, labels }]
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
  const others = (around.gatherers ?? []).filter((one) => one.name !== name)
  // Kubernetes adds what is for its own roles up by itself, as everybody knows who names one of them.
  const known = new Set([...named, ...(named.some((one) => ofKubernetes.has(one)) ? ofKubernetes : [])])
  const found = gathering(labels, named, others)
    .filter((one) => !known.has(one.name))
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

const ofKubernetes: ReadonlySet<string> = new Set(['view', 'edit', 'admin'])

/** Roles that gather what has these labels, those that gather the named ones, and those that gather them in turn. */
function gathering(labels: Fields, named: readonly string[], gatherers: readonly Gatherer[]): Gatherer[] {
  const isBy = (one: Gatherer, by: Fields) => one.selectors.some((selector) => selects(selector, by))
  const found = new Set(gatherers.filter((one) => isBy(one, labels) || named.includes(one.name)))
  // A set that grows while it is gone through is gone through to its end.
  for (const each of found) for (const one of gatherers) if (isBy(one, each.labels)) found.add(one)
  return [...found]
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
