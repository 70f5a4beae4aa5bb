import { KubeError } from '../api-error.ts'
import type { GroupResource, KubeObject, ObjectStore } from '../object-store.ts'
import { docOf, listOf, textOf } from '../store/doc.ts'
import { type Identity, isAdmin, serviceAccountUser } from './identity.ts'
import {
  allowsPath,
  allowsResource,
  type PathAttributes,
  type PolicyRule,
  type ResourceAttributes,
  rulesOf,
} from './rules.ts'

/** Authorization by the RBAC roles and bindings in the store. */
export interface Access {
  allows(identity: Identity, wanted: ResourceAttributes | PathAttributes): boolean
  /** The same, with the binding that allows it. */
  decide(identity: Identity, wanted: ResourceAttributes | PathAttributes): { allowed: boolean; reason?: string }
  /** Every rule that holds for somebody in a namespace, the cluster-wide ones among them. */
  rulesFor(identity: Identity, namespace: string | undefined): PolicyRule[]
  /** The rules of the role that a binding in `namespace` refers to; undefined when it is not there. */
  roleRules(namespace: string | undefined, roleRef: unknown): PolicyRule[] | undefined
  close(): void
}

/** A rule, and the words for how somebody came to it. */
interface Granted {
  rule: PolicyRule
  reason: string
}

type BySubject = Map<string, Granted[]>

const RBAC = 'rbac.authorization.k8s.io'
const BINDINGS = `${RBAC}/rolebindings` as const
const CLUSTER_BINDINGS = `${RBAC}/clusterrolebindings` as const
const ROLES = `${RBAC}/roles` as const
const CLUSTER_ROLES = `${RBAC}/clusterroles` as const
const WATCHED = new Set<GroupResource>([BINDINGS, CLUSTER_BINDINGS, ROLES, CLUSTER_ROLES])

function subjectKey(subject: unknown, home: string | undefined): string {
  const { kind, name, namespace } = docOf(subject)
  if (kind === 'ServiceAccount') return `u:${serviceAccountUser(textOf(namespace) || home || '', textOf(name))}`
  return `${kind === 'Group' ? 'g' : 'u'}:${textOf(name)}`
}

const keysOf = ({ user, groups }: Identity): string[] => [`u:${user}`, ...groups.map((group) => `g:${group}`)]

function reasonOf({ kind, metadata, roleRef }: KubeObject, subject: unknown): string {
  const binding = metadata.namespace ? `${metadata.name}/${metadata.namespace}` : metadata.name
  const { kind: roleKind, name: role } = docOf(roleRef)
  const { kind: who, name, namespace } = docOf(subject)
  const whom = who === 'ServiceAccount' ? `${name}/${namespace}` : name
  return `RBAC: allowed by ${kind} ${JSON.stringify(binding)} of ${roleKind} ${JSON.stringify(role)} to ${who} ${JSON.stringify(whom)}`
}

export function createAccess(store: ObjectStore): Access {
  /** Worked out when first asked for, thrown away when any role or binding changes. */
  const worked = new Map<string, BySubject>()

  const stop = store.subscribe((resource) => {
    if (WATCHED.has(resource)) worked.clear()
  })

  function roleRules(namespace: string | undefined, roleRef: unknown): PolicyRule[] | undefined {
    const { kind, name } = docOf(roleRef)
    const role =
      kind === 'Role' ? store.get(ROLES, namespace, textOf(name)) : store.get(CLUSTER_ROLES, undefined, textOf(name))
    return role && rulesOf(role)
  }

  function workOut(bindings: readonly KubeObject[], namespace: string | undefined): BySubject {
    const bySubject: BySubject = new Map()
    for (const binding of bindings) {
      const rules = roleRules(namespace, binding.roleRef) ?? []
      for (const subject of listOf(binding.subjects)) {
        const key = subjectKey(subject, namespace)
        const reason = reasonOf(binding, subject)
        const known = bySubject.get(key) ?? []
        known.push(...rules.map((rule) => ({ rule, reason })))
        bySubject.set(key, known)
      }
    }
    return bySubject
  }

  function subjectsIn(namespace: string | undefined): BySubject {
    const known = worked.get(namespace ?? '')
    if (known) return known
    const bindings = namespace ? store.list(BINDINGS, namespace) : store.list(CLUSTER_BINDINGS)
    const made = workOut(bindings, namespace)
    worked.set(namespace ?? '', made)
    return made
  }

  function granted(identity: Identity, namespace: string | undefined): Granted[] {
    const scopes = namespace ? [subjectsIn(undefined), subjectsIn(namespace)] : [subjectsIn(undefined)]
    const keys = keysOf(identity)
    return scopes.flatMap((scope) => keys.flatMap((key) => scope.get(key) ?? []))
  }

  function rulesFor(identity: Identity, namespace: string | undefined): PolicyRule[] {
    const all = isAdmin(identity)
      ? [
          { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
          { verbs: ['*'], nonResourceURLs: ['*'] },
        ]
      : []
    return [...all, ...granted(identity, namespace).map(({ rule }) => rule)]
  }

  function decide(identity: Identity, wanted: ResourceAttributes | PathAttributes) {
    if (isAdmin(identity)) return { allowed: true }
    const found =
      'path' in wanted
        ? granted(identity, undefined).find(({ rule }) => allowsPath(rule, wanted))
        : granted(identity, wanted.namespace).find(({ rule }) => allowsResource(rule, wanted))
    return found ? { allowed: true, reason: found.reason } : { allowed: false }
  }

  return {
    allows: (identity, wanted) => decide(identity, wanted).allowed,
    decide,
    rulesFor,
    roleRules,
    close: stop,
  }
}

/** The 403 for something that no role allows, in Kubernetes' words. */
export function accessDenied(identity: Identity, wanted: ResourceAttributes | PathAttributes): KubeError {
  const who = `User ${JSON.stringify(identity.user)} cannot ${wanted.verb}`
  if ('path' in wanted)
    return new KubeError(403, 'Forbidden', `forbidden: ${who} path ${JSON.stringify(wanted.path)}`, {})
  const { group, resource, subresource, name, namespace } = wanted
  const what = subresource ? `${resource}/${subresource}` : resource
  const where = namespace ? `in the namespace ${JSON.stringify(namespace)}` : 'at the cluster scope'
  const subject = `${resource}${group ? `.${group}` : ''}${name ? ` ${JSON.stringify(name)}` : ''}`
  return new KubeError(
    403,
    'Forbidden',
    `${subject} is forbidden: ${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`,
    { ...(name ? { name } : {}), ...(group ? { group } : {}), kind: resource },
  )
}
