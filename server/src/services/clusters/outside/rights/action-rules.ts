import type { PolicyRule } from '../../../../adapters/kubernetes/space/space-rules.ts'

/** An object that an action may make, change or delete. */
export interface GrantedObject {
  group: string
  /** Plural under which the cluster serves its kind, or will once the definition of the release is there. */
  plural: string
  kind: string
  name: string
  namespace: string | null
  /** The release will not have it: it is deleted, and never made or changed. */
  isGoing: boolean
  /** It is not deleted, whatever Helm reads: a definition, with which objects of others would go. */
  stays: boolean
}

/** A role that a binding outside of the space refers to, and where that binding is. */
export interface BoundRole {
  kind: 'ClusterRole' | 'Role'
  name: string
  /** Null: in the whole cluster. */
  namespace: string | null
}

interface ActionRules {
  /** In the whole cluster. */
  wide: PolicyRule[]
  /** By namespace. */
  inNamespaces: Map<string, PolicyRule[]>
}

const rbac = 'rbac.authorization.k8s.io'
const toRemove = ['get', 'delete']
const onNames = [...toRemove, 'create', 'update', 'patch']

/**
 * The rights of one action: on these names and no others. Who makes an object by applying it needs the right to create
 * it by name, which is why Helm needs no right to create others; while it waits, Helm lists the kinds that it waits for.
 * `escalate` holds on the named roles alone, and `bind` on the roles of judged bindings, each where its binding is: held
 * in the whole cluster it would let bindings of the space, which nobody judges, refer to the same roles.
 * @param bound roles that judged bindings outside of the space refer to
 */
export function actionRules(
  objects: readonly GrantedObject[],
  { mayGrant, bound }: { mayGrant: boolean; bound: readonly BoundRole[] },
): ActionRules {
  const wide: PolicyRule[] = []
  const inNamespaces = new Map<string, PolicyRule[]>()
  const add = (namespace: string | null, rules: readonly PolicyRule[]) => {
    if (namespace === null) wide.push(...rules)
    else inNamespaces.set(namespace, [...(inNamespaces.get(namespace) ?? []), ...rules])
  }
  for (const some of Map.groupBy(
    objects,
    ({ group, plural, namespace, isGoing, stays }) => `${namespace ?? ''} ${group} ${plural} ${isGoing} ${stays}`,
  ).values()) {
    const [one] = some
    if (!one) continue
    const { group, plural, namespace, isGoing, stays } = one
    const names = [...new Set(some.map(({ name }) => name))].sort()
    const isGiven = mayGrant && !isGoing && group === rbac && /^(cluster)?roles$/.test(plural)
    const all = isGoing ? toRemove : isGiven ? [...onNames, 'escalate'] : onNames
    const verbs = stays ? all.filter((verb) => verb !== 'delete') : all
    const rules = [
      { apiGroups: [group], resources: [plural], resourceNames: names, verbs },
      { apiGroups: [group], resources: [plural], verbs: ['list', 'watch'] },
    ]
    add(namespace, rules)
  }
  if (mayGrant)
    for (const some of Map.groupBy(bound, ({ kind, namespace }) => `${namespace ?? ''} ${kind}`).values()) {
      const [{ kind, namespace } = { kind: 'Role', namespace: null }] = some
      const resourceNames = [...new Set(some.map(({ name }) => name))].sort()
      const resources = [kind === 'ClusterRole' ? 'clusterroles' : 'roles']
      add(namespace, [{ apiGroups: [rbac], resources, resourceNames, verbs: ['bind'] }])
    }
  return { wide, inNamespaces }
}
