import type { ManifestObject } from '../../../../adapters/helm/manifest.ts'
import { isGivenWhole, type PolicyRule } from '../../../../adapters/kubernetes/space/space-rules.ts'
import { areObjects, areTexts, type Fields, fieldsOf, listOf, textOf, textsOf } from '../../workloads/fields.ts'
import { cleanText } from '../../workloads/foreign-text.ts'
import { groupOf } from '../group-of.ts'
import { definedKinds } from './defined-kinds.ts'
import { digestOf } from './digest.ts'
import type { Judged } from './judge-outside.ts'
import { rightsInWords, unclearRules } from './rights-in-rules.ts'

const rbac = 'rbac.authorization.k8s.io'
const groupShape = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

/** A role or binding in a space with rights on API groups that nobody holds there, because nothing serves them. */
interface Unserved {
  object: ManifestObject
  rules: readonly Fields[]
  groups: string[]
}

interface InSpace {
  namespace: string
  /** From discovery: `apiVersion/kind` → whether it lives in a namespace. */
  resourceScopes: ReadonlyMap<string, boolean>
}

/** API groups that roles of a manifest name and that nothing serves. */
export function unservedGroups(
  objects: readonly ManifestObject[],
  resourceScopes: ReadonlyMap<string, boolean>,
): string[] {
  const served = servedGroups(resourceScopes)
  if (served.size === 0) return []
  const roles = objects.filter((one) => groupOf(one.apiVersion) === rbac)
  const named = roles.flatMap(({ body }) => listOf(body.rules).flatMap(({ apiGroups }) => textsOf(apiGroups)))
  return [...new Set(named)].filter((group) => group !== '' && group !== '*' && !served.has(group))
}

/** Groups of the kinds that discovery names. */
function servedGroups(resourceScopes: ReadonlyMap<string, boolean>): ReadonlySet<string> {
  return new Set([...resourceScopes.keys()].map((key) => groupOf(key.slice(0, key.lastIndexOf('/')))))
}

/**
 * Roles that a release makes in its space, and bindings there to its own cluster roles, with rights on API groups that
 * the cluster does not serve and the release does not define. Kubernetes lets nobody give what they do not hold.
 */
export function onUnservedGroups(
  objects: readonly ManifestObject[],
  { namespace, resourceScopes }: InSpace,
): Unserved[] {
  const served = servedGroups(resourceScopes)
  // Nobody knows what a cluster serves that says nothing.
  if (served.size === 0) return []
  const coming = new Set(definedKinds(objects).map(({ apiVersion }) => groupOf(apiVersion)))
  const isUnserved = (group: string) =>
    group !== '' && group !== '*' && !served.has(group) && !(coming.has(group) && isGivenWhole(group))
  return objects.flatMap((object) => {
    if (groupOf(object.apiVersion) !== rbac || (object.namespace ?? namespace) !== namespace) return []
    const all = rulesIn(object, objects)
    const rules = all.filter(({ apiGroups }) => textsOf(apiGroups).some(isUnserved))
    if (rules.length === 0) return []
    const groups = [...new Set(rules.flatMap(({ apiGroups }) => textsOf(apiGroups)).filter(isUnserved))].sort()
    return [{ object, rules, groups }]
  })
}

/** The rules that a role or a binding in the space gives there. */
function rulesIn({ kind, body }: ManifestObject, objects: readonly ManifestObject[]): Fields[] {
  if (kind === 'Role') return listOf(body.rules)
  if (kind !== 'RoleBinding') return []
  const { kind: of, name } = fieldsOf(body.roleRef)
  const role = objects.find(
    (one) => groupOf(one.apiVersion) === rbac && one.kind === 'ClusterRole' && of === one.kind && one.name === name,
  )
  return role ? listOf(role.body.rules) : []
}

/** Judges each: its action is lent exactly these rights, by an approval alone. */
export function judgeUnserved(found: readonly Unserved[], namespace: string): Judged[] {
  return found.map(({ object, rules, groups }) => {
    const lent = lentRules(rules, groups)
    const { apiVersion, kind, name, source } = object
    return {
      apiVersion: cleanText(apiVersion, 300),
      group: rbac,
      kind: cleanText(kind, 100),
      name: cleanText(name, 253),
      namespace,
      elevates: false,
      elsewhere: [],
      grants: [
        `counts once the cluster serves ${groups.join(', ')}, whoever brings that, for the accounts of this space that it is bound to`,
        ...rightsInWords(lent, `the namespace ${namespace}`),
      ].map((text) => cleanText(text, 600)),
      digest: digestOf(['unserved groups', kind, namespace, name, lent]),
      never: whyNotLent(object, rules, groups),
      isForAll: true,
      isHook: false,
      isDefinitionFile: false,
      lent,
      ...(source ? { source } : {}),
    }
  })
}

/** Exactly the verbs and resources that the rules name, on the groups that are not served. */
function lentRules(rules: readonly Fields[], groups: readonly string[]): (PolicyRule & Fields)[] {
  return rules.map(({ apiGroups, resources, verbs, resourceNames }) => ({
    apiGroups: textsOf(apiGroups).filter((group) => groups.includes(group)),
    resources: textsOf(resources),
    verbs: textsOf(verbs),
    ...(textsOf(resourceNames).length > 0 ? { resourceNames: textsOf(resourceNames) } : {}),
  }))
}

function whyNotLent(
  { body, kind }: ManifestObject,
  rules: readonly Fields[],
  groups: readonly string[],
): string | null {
  const fields = ['verbs', 'apiGroups', 'resources', 'resourceNames']
  const isClear = rules.every((rule) => fields.every((field) => areTexts(rule[field])))
  if (!isClear || (kind === 'Role' && !areObjects(body.rules)) || textOf(fieldsOf(body.metadata).name) === '')
    return unclearRules
  const closed = groups.find((group) => !isGivenWhole(group) || !groupShape.test(group))
  if (closed === undefined) return null
  return `${cleanText(closed, 253)} is a group whose programs would act with the rights of the cluster for it, once there are any`
}
