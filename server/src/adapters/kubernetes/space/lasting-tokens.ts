import { inSpaces } from './in-spaces.ts'

/** The type of Secrets that Kubernetes fills with a token. */
export const tokenSecretType = 'kubernetes.io/service-account-token'

/**
 * The policy that refuses everybody in a space, whatever their rights, a Secret that Kubernetes fills with a token that
 * never expires. Whoever may write Secrets, by kubectl or by a pod with an account of the space, could keep such a
 * token after losing every other access. Charts may bring one, because common ones do: the space's account deploys it,
 * and the release owns it.
 */
export const lastingTokens = {
  failurePolicy: 'Fail',
  matchConstraints: {
    namespaceSelector: inSpaces,
    resourceRules: [
      {
        apiGroups: [''],
        apiVersions: ['v1'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['secrets'],
        scope: 'Namespaced',
      },
    ],
  },
  matchConditions: [
    {
      name: 'not-who-deploys',
      expression: "!request.userInfo.username.startsWith('system:serviceaccount:quayside-system:space-')",
    },
    {
      // Kubernetes itself fills such a Secret, and operators of the whole cluster are not held by what they can remove.
      name: 'not-the-cluster',
      expression:
        "!('system:masters' in request.userInfo.groups) && request.userInfo.username != 'system:kube-controller-manager' && !request.userInfo.username.startsWith('system:serviceaccount:kube-system:')",
    },
  ],
  validations: [
    {
      expression: `!has(object.type) || object.type != '${tokenSecretType}'`,
      message: 'Tokens without an end are not made in spaces, except by a chart that is deployed.',
      reason: 'Forbidden',
    },
  ],
}
