/**
 * The policy that refuses the accounts of a space, and the people who use kubectl there, services that take or reach what
 * is not theirs: an external address draws traffic of the whole cluster to the service, and an external name within the
 * cluster lets an ingress controller, which every space lets in, reach the pods of others. Addresses and names
 * that a service has already stay.
 */
export const ownServices = {
  failurePolicy: 'Fail',
  matchConstraints: {
    namespaceSelector: { matchExpressions: [{ key: 'quayside.io/space', operator: 'Exists' }] },
    resourceRules: [
      {
        apiGroups: [''],
        apiVersions: ['v1'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['services'],
        scope: 'Namespaced',
      },
    ],
  },
  matchConditions: [
    {
      name: 'by-the-space',
      expression:
        "request.userInfo.username.startsWith('system:serviceaccount:quayside-system:') || request.userInfo.username.startsWith('system:serviceaccount:' + request.namespace + ':')",
    },
  ],
  validations: [
    {
      expression:
        '!has(object.spec.externalIPs) || object.spec.externalIPs.all(one, oldObject != null && has(oldObject.spec.externalIPs) && one in oldObject.spec.externalIPs)',
      message: 'A service of a space takes no external addresses: they draw the traffic of others to it.',
      reason: 'Forbidden',
    },
    {
      // The last label of a public name has letters alone; those of addresses and of namespaces of spaces have not.
      expression:
        "!has(object.spec.externalName) || object.spec.externalName == '' || (oldObject != null && has(oldObject.spec.externalName) && oldObject.spec.externalName == object.spec.externalName) || (object.spec.externalName.matches('^([a-z0-9_-]+[.])+([a-z]+|xn--[a-z0-9-]+)[.]?$') && !object.spec.externalName.matches('[.](svc|pod)([.]|$)|cluster[.]local[.]?$'))",
      message: 'An external name of a space is a public one outside of the cluster.',
      reason: 'Forbidden',
    },
  ],
}
