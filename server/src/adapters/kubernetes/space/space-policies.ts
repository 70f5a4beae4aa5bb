import type { KubeObject, ServedType } from '../kubernetes.ts'
import { lastingTokens } from './lasting-tokens.ts'
import { ownBindings } from './own-bindings.ts'
import { ownServices } from './own-services.ts'

const version = 'admissionregistration.k8s.io/v1'
const kind = 'ValidatingAdmissionPolicy'
const policies = `${version}/validatingadmissionpolicies`
const bindings = `${version}/validatingadmissionpolicybindings`

/** Resources of the policies, bindings first: a policy without one does nothing. */
export const policyResources = [bindings, policies]
/** The name of the kind as discovery gives it, for the question whether a cluster serves such policies. */
export const policyKind = `${version}/${kind}`

const byName = {
  'quayside-lasting-tokens': lastingTokens,
  'quayside-own-bindings': ownBindings,
  'quayside-own-services': ownServices,
}
export const policyNames = Object.keys(byName)

/** The policies that hold in the spaces of a cluster; empty for clusters that do not serve such policies. */
export function spacePolicies(
  served: readonly ServedType[],
  labels: Record<string, string>,
): { resource: string; object: KubeObject }[] {
  if (!served.some((one) => `${one.apiVersion}/${one.kind}` === policyKind)) return []
  return Object.entries(byName).flatMap(([name, spec]) => {
    const metadata = { name, labels }
    const bound = { policyName: name, validationActions: ['Deny'] }
    return [
      { resource: policies, object: { apiVersion: version, kind, metadata, spec } },
      { resource: bindings, object: { apiVersion: version, kind: `${kind}Binding`, metadata, spec: bound } },
    ]
  })
}
