import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { isGivenWhole } from '../../../adapters/kubernetes/space/space-rules.ts'
import { groupOf } from '../outside/group-of.ts'
import { definedKinds } from '../outside/judging/defined-kinds.ts'
import { unservedGroups } from '../outside/judging/unserved-groups.ts'
import { notMade } from '../outside/not-made.ts'
import { fieldsOf, listOf, textOf, textsOf } from '../workloads/fields.ts'
import { cleanText } from '../workloads/foreign-text.ts'

const rbac = 'rbac.authorization.k8s.io'
const mostShown = 6

/**
 * API groups that a release brings and that its account may use as soon as the action begins, and those that nothing
 * serves: whether it may give rights on these was decided before the cluster is asked.
 */
export function comingGroups(
  manifest: readonly ManifestObject[],
  served: readonly { apiVersion: string; kind: string; namespaced: boolean }[],
): ReadonlySet<string> {
  const resourceScopes = new Map(served.map((one) => [`${one.apiVersion}/${one.kind}`, one.namespaced]))
  const brought = definedKinds(manifest).map(({ apiVersion }) => groupOf(apiVersion))
  return new Set([...brought, ...unservedGroups(manifest, resourceScopes)].filter(isGivenWhole))
}

/** A role without its rights on coming groups; undefined for other objects, and for a role that has none of them. */
export function withoutComing(object: KubeObject, coming: ReadonlySet<string>): KubeObject | undefined {
  if (groupOf(object.apiVersion) !== rbac || object.kind !== 'Role') return undefined
  const rules = listOf(fieldsOf(object).rules)
  if (!rules.some((rule) => textsOf(rule.apiGroups).some((group) => coming.has(group)))) return undefined
  const left = rules.flatMap((rule) => {
    const groups = textsOf(rule.apiGroups)
    const apiGroups = groups.filter((group) => !coming.has(group))
    return apiGroups.length === groups.length ? [rule] : apiGroups.length > 0 ? [{ ...rule, apiGroups }] : []
  })
  return { ...object, rules: left } as KubeObject
}

/**
 * A role in the space with the rights that a binding will give once the chart has made its cluster role, for Kubernetes
 * to say whether the account may give them; addresses cannot be in such a role, and no account of a space has any.
 */
export function roleOfBinding(
  binding: KubeObject,
  objects: readonly ManifestObject[],
): { role: KubeObject; addresses: string[] } | undefined {
  const isBinding = groupOf(binding.apiVersion) === rbac && binding.kind === 'RoleBinding'
  const { kind, name } = fieldsOf(fieldsOf(binding).roleRef)
  if (!isBinding || kind !== 'ClusterRole' || textOf(name) === '') return undefined
  const refers = ({ apiVersion, body }: ManifestObject) =>
    groupOf(apiVersion) === rbac && fieldsOf(body.roleRef).kind === kind && fieldsOf(body.roleRef).name === name
  // An action may bind the roles of bindings outside of the space, and binds them in the space as well.
  if (objects.some((one) => one.kind === 'ClusterRoleBinding' && refers(one))) return undefined
  const role = objects.find((one) => groupOf(one.apiVersion) === rbac && one.kind === kind && one.name === name)
  if (!role) return undefined
  const { namespace } = binding.metadata
  const all = listOf(role.body.rules)
  const rules = all.filter((rule) => textsOf(rule.nonResourceURLs).length === 0)
  const addresses = all.flatMap((rule) => textsOf(rule.nonResourceURLs))
  const metadata = { name: 'quayside-tried', ...(namespace === undefined ? {} : { namespace }) }
  return { role: { apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules } as KubeObject, addresses }
}

export const givesTooMuch = (message: string) =>
  message.includes('attempting to grant RBAC permissions not currently held')

/** The refusal of Kubernetes for missing rights as a sentence with a way on; undefined for any other refusal. */
export function plainRefusal(what: string, message: string): string | undefined {
  if (givesTooMuch(message)) return tooMuch(what, missingRights(message))
  const [, resource = '', group = ''] =
    /cannot \w+ resource "([^"]{1,200})" in API group "([^"]{0,253})"/.exec(message) ?? []
  if (!resource || !/is forbidden: User "/.test(message)) return undefined
  return notMade(what, resource, group)
}

export function tooMuch(what: string, missing: readonly string[]): string {
  const names = missing.length > 0 ? `: ${missing.join('; ')}` : ''
  return `${what} gives rights that the account of this space does not have${names}. A role gives no more than the space itself has. Where the cluster does not know an API group, install its definitions first; otherwise leave the role or these rights out by the values of the chart`
}

/** Rights that are missing, from the words of Kubernetes: `{APIGroups:["a.io"], Resources:["b"], Verbs:["get"]}`. */
function missingRights(message: string): string[] {
  const [, list = ''] = message.split(/not currently held:/)
  const rules = list.match(/\{[^{}]*\}/g) ?? []
  const said = rules.slice(0, mostShown).map((rule) => cleanText(inWords(rule), 200))
  // The last one may have been cut off.
  const isMore = rules.length > mostShown || (list.match(/\{/g) ?? []).length > rules.length
  return isMore ? [...said, 'and more'] : said
}

function inWords(rule: string): string {
  const part = (name: string) =>
    [...(new RegExp(`\\b${name}:\\[([^\\]]*)\\]`).exec(rule)?.[1] ?? '').matchAll(/"([^"]*)"/g)]
      .map(([, one = '']) => (one === '*' ? 'everything (*)' : one))
      .join(', ')
  const verbs = part('Verbs')
  const addresses = part('NonResourceURLs')
  if (addresses) return `${verbs} on the addresses ${addresses}`
  const [group, names] = [part('APIGroups'), part('ResourceNames')]
  return `${verbs} on ${part('Resources')}${group ? ` of ${group}` : ''}${names ? ` named ${names}` : ''}`
}
