import { type Doc, docOf, listOf, textOf } from '../store/doc.ts'

export interface PolicyRule {
  verbs: string[]
  apiGroups?: string[]
  resources?: string[]
  resourceNames?: string[]
  nonResourceURLs?: string[]
}

/** Request on a resource, for the check of rights. */
export interface ResourceAttributes {
  verb: string
  group: string
  resource: string
  subresource?: string
  name?: string
  namespace?: string
}

export interface PathAttributes {
  verb: string
  path: string
}

const has = (list: readonly string[] | undefined, value: string) => list?.includes('*') || list?.includes(value)

export function allowsResource(
  rule: PolicyRule,
  { verb, group, resource, subresource, name }: ResourceAttributes,
): boolean {
  if (!has(rule.verbs, verb) || !has(rule.apiGroups, group)) return false
  const combined = subresource ? `${resource}/${subresource}` : resource
  const names = rule.resources ?? []
  if (!names.includes('*') && !names.includes(combined) && !(subresource && names.includes(`*/${subresource}`))) {
    return false
  }
  return !rule.resourceNames?.length || (name !== undefined && rule.resourceNames.includes(name))
}

export function allowsPath(rule: PolicyRule, { verb, path }: PathAttributes): boolean {
  if (!has(rule.verbs, verb)) return false
  return (rule.nonResourceURLs ?? []).some((pattern) =>
    pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path,
  )
}

/** The rules of a Role or ClusterRole object. */
export const rulesOf = (role: Doc): PolicyRule[] =>
  listOf(role.rules).map((rule) => {
    const { verbs, ...rest } = docOf(rule)
    return { ...rest, verbs: listOf(verbs).map(textOf) }
  })

/** A rule taken apart: one verb on one resource of one group, or on one path. */
function* atoms(rule: PolicyRule): Generator<PolicyRule> {
  for (const group of rule.apiGroups ?? []) {
    for (const resource of rule.resources ?? []) {
      for (const verb of rule.verbs) {
        const one = { verbs: [verb], apiGroups: [group], resources: [resource] }
        if (!rule.resourceNames?.length) yield one
        for (const name of rule.resourceNames ?? []) yield { ...one, resourceNames: [name] }
      }
    }
  }
  for (const url of rule.nonResourceURLs ?? []) {
    for (const verb of rule.verbs) yield { verbs: [verb], nonResourceURLs: [url] }
  }
}

function covers(owned: PolicyRule, [verb, atom]: readonly [string, PolicyRule]): boolean {
  if (!has(owned.verbs, verb)) return false
  const url = atom.nonResourceURLs?.[0]
  if (url !== undefined) return owned.nonResourceURLs?.includes(url) || allowsPath(owned, { verb, path: url })
  const group = atom.apiGroups?.[0] ?? ''
  const resource = atom.resources?.[0] ?? ''
  const name = atom.resourceNames?.[0]
  const named = !owned.resourceNames?.length || (name !== undefined && owned.resourceNames.includes(name))
  const sub = resource.includes('/') ? resource.slice(resource.indexOf('/') + 1) : undefined
  const known =
    owned.resources?.includes(resource) ||
    owned.resources?.includes('*') ||
    (sub !== undefined && owned.resources?.includes(`*/${sub}`))
  return named && Boolean(has(owned.apiGroups, group)) && Boolean(known)
}

/** Verbs on the same resource, group and name are told together. */
function compacted(rules: readonly PolicyRule[]): PolicyRule[] {
  const known = new Map<string, PolicyRule>()
  for (const rule of rules) {
    const { verbs, ...rest } = rule
    const key = rule.nonResourceURLs ? JSON.stringify(rule) : JSON.stringify(rest)
    const before = known.get(key)
    known.set(key, before ? { ...before, verbs: [...before.verbs, ...verbs] } : rule)
  }
  return [...known.values()]
}

/** The parts of `wanted` that nobody with the rules `owned` may hand on. */
export function uncovered(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return compacted(
    wanted.flatMap((rule) =>
      [...atoms(rule)].filter((atom) => !owned.some((mine) => covers(mine, [atom.verbs[0] ?? '', atom]))),
    ),
  )
}

/** Rules as Kubernetes writes them in messages, one a line. */
export const shownRules = (rules: readonly PolicyRule[]): string => [...new Set(rules.map(shownRule))].sort().join('\n')

/** A rule as Kubernetes writes it in messages. */
function shownRule(rule: PolicyRule): string {
  const part = (name: string, list: readonly string[] | undefined) =>
    list?.length ? [`${name}:[${list.map((item) => JSON.stringify(item)).join(' ')}]`] : []
  return `{${[
    ...part('APIGroups', rule.apiGroups),
    ...part('Resources', rule.resources),
    ...part('NonResourceURLs', rule.nonResourceURLs),
    ...part('ResourceNames', rule.resourceNames),
    ...part('Verbs', rule.verbs),
  ].join(', ')}}`
}
