import { matchesLabels, selectorRequirements } from '../machinery/selectors.ts'
import type { KubeObject, ObjectStore } from '../object-store.ts'
import { deepEqual, docOf, listOf } from '../store/doc.ts'

const CLUSTER_ROLES = 'rbac.authorization.k8s.io/clusterroles'

function collectedRules(roles: readonly KubeObject[], collector: KubeObject): unknown[] {
  const selectors = listOf(docOf(collector.aggregationRule).clusterRoleSelectors).map((selector) =>
    selectorRequirements(docOf(selector)),
  )
  const found: unknown[] = []
  for (const role of roles) {
    if (role === collector || !selectors.some((selector) => matchesLabels(role.metadata.labels, selector))) continue
    for (const rule of listOf(role.rules)) if (!found.some((known) => deepEqual(known, rule))) found.push(rule)
  }
  return found
}

/** Keeps the rules of roles that collect other roles' rules. Returns the function that stops it. */
export function followAggregation(store: ObjectStore): () => void {
  function refresh(): void {
    const roles = store.list(CLUSTER_ROLES)
    for (const { metadata, aggregationRule } of roles) {
      if (!aggregationRule) continue
      store.update(CLUSTER_ROLES, undefined, metadata.name, (current) => {
        const rules = collectedRules(store.list(CLUSTER_ROLES), current)
        return deepEqual(rules, current.rules) ? current : { ...current, rules }
      })
    }
  }
  refresh()
  return store.subscribe((resource) => {
    if (resource === CLUSTER_ROLES) refresh()
  })
}
