/**
 * The policy that refuses the accounts of a space, the one that deploys among them, a role binding there for anybody but
 * accounts of that space. No list and no approval lets a chart have one, and what is judged is rendered before: a chart
 * that looks at the time, at chance or at its space could render one for Helm alone.
 */
export const ownBindings = {
  failurePolicy: 'Fail',
  matchConstraints: {
    namespaceSelector: { matchExpressions: [{ key: 'quayside.io/space', operator: 'Exists' }] },
    resourceRules: [
      {
        apiGroups: ['rbac.authorization.k8s.io'],
        apiVersions: ['v1'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['rolebindings'],
        scope: 'Namespaced',
      },
    ],
  },
  matchConditions: [
    {
      name: 'by-the-space',
      expression:
        "request.userInfo.username.startsWith('system:serviceaccount:quayside-system:space-') || request.userInfo.username.startsWith('system:serviceaccount:' + request.namespace + ':')",
    },
  ],
  validations: [
    {
      // Kubernetes takes an account without a namespace for one of the namespace of its binding.
      expression:
        "!has(object.subjects) || object.subjects.all(one, one.kind == 'ServiceAccount' && (!has(one.namespace) || one.namespace in ['', request.namespace]))",
      message: 'A binding in a space gives rights to accounts of that space alone.',
      reason: 'Forbidden',
    },
  ],
}
