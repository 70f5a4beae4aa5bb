/**
 * The policy that refuses the accounts of a space any change of its namespace, whose labels say that it is a space and which
 * Pod Security and network hold there. The portal gives nobody that right; operators that run an app for an object in the
 * space often give its account every right in the namespace, and the namespace itself is among them.
 */
export const ownNamespace = {
  failurePolicy: 'Fail',
  // Without a selector: of a namespace that is changed, Kubernetes looks at the labels that it is to have.
  matchConstraints: {
    resourceRules: [
      {
        apiGroups: [''],
        apiVersions: ['v1'],
        operations: ['UPDATE', 'DELETE'],
        // By each of the parts labels are changed as well.
        resources: ['namespaces', 'namespaces/finalize', 'namespaces/status'],
      },
      // For the question whether the policy is in force: no account may write namespaces.
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
    ],
  },
  matchConditions: [
    {
      name: 'the-namespace-by-the-space',
      expression:
        "request.resource.resource == 'namespaces' && (request.userInfo.username.startsWith('system:serviceaccount:quayside-system:') || request.userInfo.username.startsWith('system:serviceaccount:' + request.name + ':'))",
    },
  ],
  validations: [
    {
      expression: "!has(oldObject.metadata.labels) || !('quayside.io/space' in oldObject.metadata.labels)",
      message: 'The namespace of a space is kept by the portal.',
      reason: 'Forbidden',
    },
  ],
}
