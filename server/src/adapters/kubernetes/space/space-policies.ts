import { createHash } from 'node:crypto'
import type { KubeObject, ServedType } from '../kubernetes.ts'
import { judgedRevisions } from './judged-revisions.ts'
import { lastingTokens } from './lasting-tokens.ts'
import { ownBindings } from './own-bindings.ts'
import { ownNamespace } from './own-namespace.ts'
import { ownNetworks } from './own-networks.ts'
import { ownPriorities } from './own-priorities.ts'
import { ownServices } from './own-services.ts'

const version = 'admissionregistration.k8s.io/v1'
const kind = 'ValidatingAdmissionPolicy'
const policies = `${version}/validatingadmissionpolicies`
const bindings = `${version}/validatingadmissionpolicybindings`

/** Resources of the policies, bindings first: a policy without one does nothing. */
export const policyResources = [bindings, policies]
/** The name of the kind as discovery gives it, for the question whether a cluster serves such policies. */
export const policyKind = `${version}/${kind}`

interface PolicySpec {
  failurePolicy: string
  matchConstraints: object
  matchConditions: { name: string; expression: string }[]
  validations: { expression: string; message: string; reason: string }[]
}

const byName = {
  'quayside-judged-revisions': judgedRevisions,
  'quayside-lasting-tokens': lastingTokens,
  'quayside-own-bindings': ownBindings,
  'quayside-own-namespace': ownNamespace,
  'quayside-own-networks': ownNetworks,
  'quayside-own-priorities': ownPriorities,
  'quayside-own-services': ownServices,
} as const satisfies Record<string, PolicySpec>
export type PolicyName = keyof typeof byName
export const policyNames = Object.keys(byName) as PolicyName[]

/**
 * The name of an object that a policy refuses everybody once the cluster enforces the policy with exactly these rules,
 * and not those of an earlier version: what is asked for to see whether it does.
 */
export function probeOf(policy: PolicyName): string {
  const digest = createHash('sha256').update(JSON.stringify(byName[policy])).digest('hex')
  return `quayside-probe-${digest.slice(0, 10)}`
}

/** A policy that also refuses everybody the object by which the portal asks whether it is in force. */
function withProbe(policy: PolicyName): PolicySpec {
  const spec: PolicySpec = byName[policy]
  const isProbe = `(object != null && has(object.metadata.name) && object.metadata.name == '${probeOf(policy)}')`
  return {
    ...spec,
    matchConditions: spec.matchConditions.map(({ name, expression }) => ({
      name,
      expression: `${isProbe} || (${expression})`,
    })),
    validations: [
      { expression: `!${isProbe}`, message: 'This policy is in force.', reason: 'Forbidden' },
      ...spec.validations,
    ],
  }
}

/** Clusters before Kubernetes 1.30 know no such policies. */
export const servesPolicies = (served: readonly ServedType[]) =>
  served.some((one) => `${one.apiVersion}/${one.kind}` === policyKind)

/** The policies that hold in the spaces of a cluster; empty for clusters that do not serve such policies. */
export function spacePolicies(
  served: readonly ServedType[],
  labels: Record<string, string>,
): { resource: string; object: KubeObject }[] {
  if (!servesPolicies(served)) return []
  return policyNames.flatMap((name) => {
    const spec = withProbe(name)
    const metadata = { name, labels }
    const bound = { policyName: name, validationActions: ['Deny'] }
    return [
      { resource: policies, object: { apiVersion: version, kind, metadata, spec } },
      { resource: bindings, object: { apiVersion: version, kind: `${kind}Binding`, metadata, spec: bound } },
    ]
  })
}
