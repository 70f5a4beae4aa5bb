import { portalNamespace } from '../../../adapters/kubernetes/space/portal-namespace.ts'
import { type Fields, listOf, textOf } from '../workloads/fields.ts'

/** A subject that a binding gives a role to. */
export interface Subject {
  kind: string
  name: string
  /** Namespace of an account, also where the binding names it as a user or group; empty for other subjects. */
  namespace: string
  says(space: string): string
}

/** @param home namespace of the binding; null when it holds in the whole cluster */
export function subjectsOf(binding: Fields, home: string | null): Subject[] {
  return listOf(binding.subjects).map((subject) => subjectOf(subject, home))
}

function subjectOf({ kind, name, namespace }: Fields, home: string | null): Subject {
  const who = { kind: textOf(kind), name: textOf(name) }
  const isAccount = who.kind === 'ServiceAccount'
  const of = isAccount ? textOf(namespace) || (home ?? '') : namespaceNamedBy(who.name)
  return {
    ...who,
    namespace: of,
    says: (space) => {
      if (!isAccount) return `the ${who.kind.toLowerCase()} ${who.name}`
      return of === space ? `the account ${who.name} of this space` : `the account ${who.name} of the namespace ${of}`
    },
  }
}

/** Kubernetes calls an account `system:serviceaccount:<namespace>:<name>`, and all of a namespace are a group. */
function namespaceNamedBy(name: string): string {
  return /^system:serviceaccounts?:([^:]*)/.exec(name)?.[1] ?? ''
}

/** Names that Kubernetes gives to many at once, and those of accounts, which a binding can name as what they are. */
const manyAtOnce = /^system:(authenticated|unauthenticated|anonymous|masters)$|^system:serviceaccounts?(:|$)/

/** Why no chart gives these a role outside of its space; undefined when somebody can be asked. */
export function whyNotGivenTo(
  subjects: readonly Subject[],
  { namespace, namespaces }: { namespace: string; namespaces: ReadonlyMap<string, string> },
): string | undefined {
  for (const { kind, name, namespace: home } of subjects) {
    if (home === portalNamespace) return 'accounts of the portal get no rights by a chart'
    if (home !== namespace && namespaces.get(home) === 'space')
      return `the accounts of the namespace ${home} belong to another space`
    if (kind === 'ServiceAccount') continue
    if (kind !== 'User' && kind !== 'Group') return 'it is not clear whom it gives a role'
    if (name === 'system:masters') return 'nobody becomes cluster-admin'
    if (manyAtOnce.test(name)) return `${name} gets no rights by a chart, which names accounts one by one`
  }
  return undefined
}

/** Tells whether a binding in a space gives a role to others than the accounts of that space. */
export function letsOthersIn(binding: Fields, space: string): boolean {
  return subjectsOf(binding, space).some(({ kind, namespace }) => kind !== 'ServiceAccount' || namespace !== space)
}
