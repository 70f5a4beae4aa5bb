import type { KubeObject, ServedType } from './kubernetes.ts'

const group = 'admissionregistration.k8s.io'
const version = `${group}/v1`
export const lastingTokens = 'quayside-lasting-tokens'

/**
 * The policy that refuses everybody in a space, whatever their rights, a Secret that Kubernetes fills with a token that
 * never expires. Whoever may write Secrets, by kubectl or by a pod with an account of the space, could keep such a
 * token after losing every other access. Charts may bring one, because common ones do: the space's account deploys it,
 * and the release owns it. Empty for clusters that do not serve such policies.
 */
export function lastingTokensPolicy(
  served: readonly ServedType[],
  labels: Record<string, string>,
): { resource: string; object: KubeObject }[] {
  if (!served.some(({ apiVersion, kind }) => apiVersion === version && kind === 'ValidatingAdmissionPolicy')) return []
  const metadata = { name: lastingTokens, labels }
  return [
    { resource: policies, object: { apiVersion: version, kind: 'ValidatingAdmissionPolicy', metadata, spec: policy } },
    {
      resource: bindings,
      object: {
        apiVersion: version,
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata,
        spec: { policyName: lastingTokens, validationActions: ['Deny'] },
      },
    },
  ]
}

/** The type of Secrets that Kubernetes fills with a token. */
export const tokenSecretType = 'kubernetes.io/service-account-token'
const policies = `${version}/validatingadmissionpolicies`
const bindings = `${version}/validatingadmissionpolicybindings`
/** The binding first: a policy without one does nothing. */
export const lastingTokensResources = [bindings, policies]

const policy = {
  failurePolicy: 'Fail',
  matchConstraints: {
    namespaceSelector: { matchExpressions: [{ key: 'quayside.io/space', operator: 'Exists' }] },
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
