import { bySpaceAccounts, inSpaces } from './in-spaces.ts'

/**
 * Tells whether a role or binding is the portal's: by the names that it gives to its own in the namespace of a space, and
 * by labels, because it looks for its own by them.
 */
const isPortals = (one: 'object' | 'oldObject') =>
  `(${one} != null && (${one}.metadata.name.matches('^(quayside-deployer$|quayside:|kubeconfig-[0-9a-z]{22}$)') || (has(${one}.metadata.labels) && ${one}.metadata.labels.exists(key, key.startsWith('quayside.io/')))))`

/**
 * The policy that refuses the accounts of a space, the one that deploys and people's among them, a role binding there for
 * anybody but accounts of that space, and any change of the roles and bindings that the portal keeps there. No list and no
 * approval lets a chart have one, and what is judged is rendered before: a chart that looks at the time, at chance or at
 * its space could render one for Helm alone. Operators make and delete bindings of their own; one of the portal's that
 * they deleted in the foreground would go on giving its rights while something that it owns is held.
 */
export const ownBindings = {
  failurePolicy: 'Fail',
  matchConstraints: {
    namespaceSelector: inSpaces,
    resourceRules: [
      {
        apiGroups: ['rbac.authorization.k8s.io'],
        apiVersions: ['v1'],
        operations: ['CREATE', 'UPDATE', 'DELETE'],
        resources: ['roles', 'rolebindings'],
        scope: 'Namespaced',
      },
    ],
  },
  matchConditions: [bySpaceAccounts],
  validations: [
    {
      expression: `!${isPortals('object')} && !${isPortals('oldObject')}`,
      message: 'The roles and bindings that the portal keeps in a space are its own.',
      reason: 'Forbidden',
    },
    {
      // Kubernetes takes an account without a namespace for one of the namespace of its binding.
      expression:
        "object == null || !has(object.subjects) || object.subjects.all(one, one.kind == 'ServiceAccount' && (!has(one.namespace) || one.namespace in ['', request.namespace]))",
      message: 'A binding in a space gives rights to accounts of that space alone.',
      reason: 'Forbidden',
    },
  ],
}
