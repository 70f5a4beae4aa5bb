import { forbidden, notFound } from '../api-error.ts'
import type { KubeObject } from '../object-store.ts'
import { deepEqual, docOf, listOf, textOf } from '../store/doc.ts'
import type { Access } from './access.ts'
import { type Identity, isAdmin } from './identity.ts'
import { type PolicyRule, rulesOf, shownRules, uncovered } from './rules.ts'

const GROUP = 'rbac.authorization.k8s.io'

const PLURALS: Record<string, string> = {
  Role: 'roles',
  ClusterRole: 'clusterroles',
  RoleBinding: 'rolebindings',
  ClusterRoleBinding: 'clusterrolebindings',
}

const FULL_AUTHORITY: PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

/** A role or a binding that somebody wants to write. */
interface Grant {
  access: Access
  identity: Identity
  object: KubeObject
  old?: KubeObject
  /** The name in the request's path: who creates by POST names no object. */
  name?: string
}

const refusal = ({ metadata, kind }: KubeObject, why: string) =>
  forbidden({ group: GROUP, resource: PLURALS[kind] ?? '' }, metadata.name, why)

function checkHeld({ access, identity, object }: Grant, rules: readonly PolicyRule[]): void {
  const missing = uncovered(access.rulesFor(identity, object.metadata.namespace), rules)
  if (missing.length === 0) return
  const groups = identity.groups.map((group) => JSON.stringify(group)).join(' ')
  const who = `user ${JSON.stringify(identity.user)} (groups=[${groups}])`
  throw refusal(object, `${who} is attempting to grant RBAC permissions not currently held:\n${shownRules(missing)}`)
}

const aggregates = (role: KubeObject | undefined) =>
  listOf(docOf(role?.aggregationRule).clusterRoleSelectors).length > 0

function checkRole(grant: Grant): void {
  const { access, identity, object, old, name } = grant
  const { namespace } = object.metadata
  const resource = PLURALS[object.kind] ?? ''
  if (access.allows(identity, { verb: 'escalate', group: GROUP, resource, name, namespace })) return
  if (old && onlyForCollectors(object, old)) return
  checkHeld(grant, rulesOf(object))
  if (!aggregates(object) && !aggregates(old)) return
  if (uncovered(access.rulesFor(identity, undefined), FULL_AUTHORITY).length === 0) return
  throw refusal(object, 'must have cluster-admin privileges to use the aggregationRule')
}

function checkBinding(grant: Grant): void {
  const { access, identity, object, old } = grant
  const { namespace } = object.metadata
  if (old && onlyForCollectors(object, old)) return
  const { apiGroup, kind, name: named } = docOf(object.roleRef)
  const resource = kind === 'Role' ? 'roles' : 'clusterroles'
  const name = textOf(named)
  if (access.allows(identity, { verb: 'bind', group: textOf(apiGroup) || GROUP, resource, name, namespace })) return
  const rules = access.roleRules(namespace, object.roleRef)
  if (!rules) throw notFound({ group: GROUP, resource: PLURALS[object.kind] ?? '' }, name)
  checkHeld(grant, rules)
}

/** Tells whether a change is one that the garbage collector needs, and nothing else: owners and finalizers. */
function onlyForCollectors(object: KubeObject, old: KubeObject): boolean {
  const { ownerReferences, finalizers, managedFields, selfLink } = old.metadata
  const metadata = { ...object.metadata, ownerReferences, finalizers, managedFields, selfLink }
  return deepEqual({ ...object, metadata }, old)
}

/** Nobody hands out more than they hold, save with the verbs `escalate` and `bind`. */
export function checkEscalation(grant: Grant): void {
  const { identity, object } = grant
  if (!object.apiVersion.startsWith(`${GROUP}/`) || !PLURALS[object.kind] || isAdmin(identity)) return
  if (object.kind.endsWith('Binding')) checkBinding(grant)
  else checkRole(grant)
}
