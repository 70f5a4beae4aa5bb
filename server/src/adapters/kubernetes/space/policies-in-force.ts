import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../../platform/http/errors.ts'
import type { ClusterConnection, KubeObject } from '../kubernetes.ts'
import { KubeRefusal } from '../transport.ts'
import { type PolicyName, policyNames, probeOf } from './space-policies.ts'
import { roleNames } from './space-rules.ts'

const withinMs = 30_000
const lookEveryMs = 250
/** Status codes of an API that is away, which is another matter than a policy that is not in force. */
const away = new Set([429, 500, 502, 503, 504])

type Asking = Pick<ClusterConnection, 'apply'>

/**
 * Waits until the cluster refuses in a namespace what the policies refuse there: an API server takes a second or more
 * for a policy that was just made, and lets everything pass until then. It is asked by dry runs, which make nothing.
 * @param own acts as an account that may write what the policies are about
 * @param onWait called once, with the policies that are not in force yet
 * @throws `cluster.refused` when a policy is not in force within 30 s
 */
export async function policiesInForce(
  own: Asking,
  namespace: string,
  { policies = policyNames, onWait }: { policies?: readonly PolicyName[]; onWait?: Waiting } = {},
): Promise<void> {
  const until = performance.now() + withinMs
  let late = await notInForce(own, namespace, policies)
  if (late.length > 0) onWait?.(late)
  while (late.length > 0) {
    if (performance.now() > until)
      throw fail('cluster.refused', {
        message: `The cluster does not enforce ${late.join(', ')} in the namespace ${namespace}, which keeps spaces apart: nothing is done there until it does.`,
      })
    await sleep(lookEveryMs)
    late = await notInForce(own, namespace, late)
  }
}
export type Waiting = (policies: readonly PolicyName[]) => void

async function notInForce(own: Asking, namespace: string, policies: readonly PolicyName[]): Promise<PolicyName[]> {
  const found = await Promise.all(policies.map((policy) => isInForce(own, namespace, policy)))
  return policies.filter((_, at) => !found[at])
}

async function isInForce(own: Asking, namespace: string, policy: PolicyName): Promise<boolean> {
  const { resource, object } = probes[policy]
  const metadata = { name: probeOf(policy), namespace }
  try {
    await own.apply(resource, { ...object, metadata } as KubeObject, { dryRun: true })
    return false
  } catch (error) {
    if (!(error instanceof KubeRefusal) || away.has(error.httpStatus)) throw error
    // Rights that were just given can take as long, and a refusal for the lack of them proves nothing.
    return error.message.includes(`ValidatingAdmissionPolicy '${policy}'`)
  }
}

/** For each policy an object of the kind that it is about, which nothing else refuses. */
const probes: Readonly<Record<PolicyName, { resource: string; object: Omit<KubeObject, 'metadata'> }>> = {
  'quayside-judged-revisions': {
    resource: 'v1/secrets',
    object: { apiVersion: 'v1', kind: 'Secret', type: 'Opaque' },
  },
  'quayside-lasting-tokens': {
    resource: 'v1/secrets',
    object: { apiVersion: 'v1', kind: 'Secret', type: 'Opaque' },
  },
  'quayside-own-bindings': {
    resource: 'rbac.authorization.k8s.io/v1/rolebindings',
    object: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: roleNames.account },
      subjects: [],
    },
  },
  'quayside-own-namespace': { resource: 'v1/configmaps', object: { apiVersion: 'v1', kind: 'ConfigMap' } },
  'quayside-own-networks': {
    resource: 'networking.k8s.io/v1/networkpolicies',
    object: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      spec: { podSelector: {}, policyTypes: ['Ingress'] },
    },
  },
  'quayside-own-priorities': { resource: 'v1/configmaps', object: { apiVersion: 'v1', kind: 'ConfigMap' } },
  'quayside-own-services': {
    resource: 'v1/services',
    object: { apiVersion: 'v1', kind: 'Service', spec: { clusterIP: 'None' } },
  },
}
