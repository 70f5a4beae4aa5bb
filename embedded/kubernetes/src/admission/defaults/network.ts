import type { V1EndpointSlice, V1Endpoints, V1NetworkPolicy, V1Service } from '@kubernetes/client-node'
import { fill } from './fill.ts'

const AFFINITY_SECONDS = 10_800

export function service({ spec }: V1Service): void {
  if (!spec) return
  fill(spec, { type: 'ClusterIP', sessionAffinity: 'None' })
  if (spec.sessionAffinity === 'ClientIP') {
    fill(spec, { sessionAffinityConfig: { clientIP: { timeoutSeconds: AFFINITY_SECONDS } } })
  }
  for (const port of spec.ports ?? []) fill(port, { protocol: 'TCP', targetPort: port.port })
  if (spec.type === 'ExternalName') return
  fill(spec, { internalTrafficPolicy: 'Cluster', ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' })
  if (spec.type === 'ClusterIP' && !spec.externalIPs?.length) return
  fill(spec, { externalTrafficPolicy: 'Cluster' })
  if (spec.type === 'LoadBalancer') fill(spec, { allocateLoadBalancerNodePorts: true })
}

/** Where a load balancer will be written down, for services and ingresses alike. */
export function newlyBalanced(object: V1Service): void {
  fill(object, { status: { loadBalancer: {} } })
}

export function networkPolicy({ spec }: V1NetworkPolicy): void {
  if (!spec) return
  fill(spec, { podSelector: {}, policyTypes: spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'] })
  for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) {
    for (const port of rule.ports ?? []) fill(port, { protocol: 'TCP' })
  }
}

export function endpoints({ subsets }: V1Endpoints): void {
  for (const { ports } of subsets ?? []) for (const port of ports ?? []) fill(port, { protocol: 'TCP' })
}

export function endpointSlice({ ports }: V1EndpointSlice): void {
  for (const port of ports ?? []) fill(port, { name: '', protocol: 'TCP' })
}
