import { forbidden } from '../api-error.ts'
import type { KubeObject } from '../object-store.ts'
import { deepEqual } from '../store/doc.ts'
import type { Access } from './access.ts'
import { type Identity, isAdmin } from './identity.ts'
import { type PolicyRule, rulesOf, shownRule, uncovered } from './rules.ts'

const GROUP = 'rbac.authorization.k8s.io'

const PLURALS: Record<string, string> = {
  Role: 'roles',
  ClusterRole: 'clusterroles',
  RoleBinding: 'rolebindings',
  ClusterRoleBinding: 'clusterrolebindings',
}

function refuse(identity: Identity, object: KubeObject, missing: readonly PolicyRule[]): never {
  const groups = identity.groups.map((group) => JSON.stringify(group)).join(' ')
  const who = `user ${JSON.stringify(identity.user)} (groups=[${groups}])`
  throw forbidden(
    { group: GROUP, resource: PLURALS[object.kind] ?? '' },
    object.metadata.name,
    `${who} is attempting to grant RBAC permissions not currently held:\n${missing.map(shownRule).join('\n')}`,
  )
}

/** Nobody hands out more than they hold, save with the verbs `escalate` and `bind`. */
export function checkEscalation(access: Access, identity: Identity, object: KubeObject, old?: KubeObject): void {
  const plural = object.apiVersion.startsWith(`${GROUP}/`) ? PLURALS[object.kind] : undefined
  if (!plural || isAdmin(identity)) return
  const { namespace, name } = object.metadata
  const isBinding = object.kind.endsWith('Binding')
  if (old && deepEqual(old.rules, object.rules) && deepEqual(old.subjects, object.subjects)) return
  const roleRef = object.roleRef as { kind: string; name: string } | undefined
  const target = isBinding && roleRef ? (roleRef.kind === 'Role' ? 'roles' : 'clusterroles') : plural
  const verb = isBinding ? 'bind' : 'escalate'
  const on = isBinding ? roleRef?.name : name
  if (access.allows(identity, { verb, group: GROUP, resource: target, name: on, namespace })) return
  const wanted = isBinding ? (access.roleRules(namespace, roleRef) ?? []) : rulesOf(object)
  const missing = uncovered(access.rulesFor(identity, namespace), wanted)
  if (missing.length > 0) refuse(identity, object, missing)
}
