import type { KubeObject, ServedType } from './kubernetes.ts'

const group = 'admissionregistration.k8s.io'
const version = `${group}/v1`
export const lastingTokens = 'quayside-lasting-tokens'

/**
 * What people are refused beside their rights: a Secret that Kubernetes fills with a token without an end. Whoever may
 * write Secrets could keep one of an account of the space after everything else of theirs is gone. Undefined for
 * clusters that know no such policies.
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
      name: 'people',
      expression: "request.userInfo.username.startsWith('system:serviceaccount:quayside-system:kubeconfig-')",
    },
  ],
  validations: [
    {
      expression: "!has(object.type) || object.type != 'kubernetes.io/service-account-token'",
      message: 'Tokens without an end are not made in spaces by kubectl.',
      reason: 'Forbidden',
    },
  ],
}
