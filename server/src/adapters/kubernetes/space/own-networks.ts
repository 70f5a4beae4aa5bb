import { networkPolicyName } from './space-isolation.ts'

/**
 * The policy that refuses the accounts of a space, and the people who use kubectl there, any change of the network policy
 * that the portal gives the space. A chart may give its pods rights on network policies, as some operators need; the one
 * of the portal is changed by who may edit the cluster alone.
 */
export const ownNetworks = {
  failurePolicy: 'Fail',
  matchConstraints: {
    namespaceSelector: { matchExpressions: [{ key: 'quayside.io/space', operator: 'Exists' }] },
    resourceRules: [
      {
        apiGroups: ['networking.k8s.io'],
        apiVersions: ['v1'],
        operations: ['CREATE', 'UPDATE', 'DELETE'],
        resources: ['networkpolicies'],
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
      // A deletion of all of them at once names none in the request, and each of them as the old object.
      expression: `(object == null ? oldObject : object).metadata.name != '${networkPolicyName}'`,
      message: 'The network policy of a space is changed in the portal, by who may edit the cluster.',
      reason: 'Forbidden',
    },
  ],
}
