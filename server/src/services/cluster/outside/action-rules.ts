import type { PolicyRule } from '../../../adapters/kubernetes/space-rules.ts'

/** An object that an action may make, change or delete, with the plural under which the cluster serves it. */
export interface GrantedObject {
  group: string
  /** Undefined: the cluster does not serve its kind yet, and will when the definition that the release brings is there. */
  plural: string
  kind: string
  name: string
  namespace: string | null
}

export interface ActionRules {
  /** In the whole cluster. */
  wide: PolicyRule[]
  /** By namespace. */
  inNamespaces: Map<string, PolicyRule[]>
}

const rbac = 'rbac.authorization.k8s.io'
const onNames = ['get', 'create', 'update', 'patch', 'delete']

/**
 * The rights of one action: on these names and no others. Who makes an object by applying it needs the right to create
 * it by name, which is why Helm needs no right to create others; while it waits, Helm lists the kinds that it waits for. `escalate` holds on the named roles alone, and `bind` on
 * the roles that these bindings refer to.
 * @param roles names of the cluster roles that the bindings of the release refer to
 */
export function actionRules(
  objects: readonly GrantedObject[],
  { mayGrant, roles }: { mayGrant: boolean; roles: readonly string[] },
): ActionRules {
  const wide: PolicyRule[] = []
  const inNamespaces = new Map<string, PolicyRule[]>()
  for (const some of Map.groupBy(
    objects,
    ({ group, plural, namespace }) => `${namespace ?? ''} ${group} ${plural}`,
  ).values()) {
    const [{ group, plural, namespace } = { group: '', plural: '', namespace: null }] = some
    const names = [...new Set(some.map(({ name }) => name))].sort()
    const verbs = mayGrant && group === rbac && /^(cluster)?roles$/.test(plural) ? [...onNames, 'escalate'] : onNames
    const rules = [
      { apiGroups: [group], resources: [plural], resourceNames: names, verbs },
      { apiGroups: [group], resources: [plural], verbs: ['list', 'watch'] },
    ]
    if (namespace === null) wide.push(...rules)
    else inNamespaces.set(namespace, [...(inNamespaces.get(namespace) ?? []), ...rules])
  }
  if (mayGrant && roles.length > 0)
    wide.push({
      apiGroups: [rbac],
      resources: ['clusterroles', 'roles'],
      resourceNames: [...new Set(roles)].sort(),
      verbs: ['bind'],
    })
  return { wide, inNamespaces }
}
