import type {
  V1EndpointSlice,
  V1Endpoints,
  V1Ingress,
  V1IngressClass,
  V1NetworkPolicy,
  V1Service,
} from '@kubernetes/client-node'
import { AGE, type Column, joined, NONE, text, wide } from './column.ts'
import { shownSelector } from './workload-columns.ts'

function externalIp({ spec, status }: V1Service): string {
  const given = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname)
  const extra = spec?.externalIPs ?? []
  if (spec?.type === 'ExternalName') return spec.externalName ?? NONE
  if (spec?.type !== 'LoadBalancer') return joined(extra)
  return [...given, ...extra].join(',') || '<pending>'
}

const servicePorts = ({ spec }: V1Service): string =>
  joined(
    spec?.ports?.map(({ port, nodePort, protocol }) =>
      nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
    ),
  )

export const SERVICE_COLUMNS: readonly Column[] = [
  text<V1Service>('Type', ({ spec }) => spec?.type),
  text<V1Service>('Cluster-IP', ({ spec }) => spec?.clusterIP ?? NONE),
  text('External-IP', externalIp),
  text('Port(s)', servicePorts),
  AGE,
  wide(
    text<V1Service>('Selector', ({ spec }) =>
      joined(Object.entries(spec?.selector ?? {}).map(([key, value]) => `${key}=${value}`)),
    ),
  ),
]

const MOST_SHOWN = 3

function few(all: readonly string[]): string {
  if (all.length <= MOST_SHOWN) return joined(all)
  return `${all.slice(0, MOST_SHOWN).join(',')} + ${all.length - MOST_SHOWN} more...`
}

export const ENDPOINTS_COLUMNS: readonly Column[] = [
  text<V1Endpoints>('Endpoints', ({ subsets }) =>
    few(
      (subsets ?? []).flatMap(({ addresses = [], ports }) =>
        ports?.length
          ? ports.flatMap(({ port }) => addresses.map(({ ip }) => `${ip}:${port}`))
          : addresses.map(({ ip }) => ip),
      ),
    ),
  ),
  AGE,
]

export const SLICE_COLUMNS: readonly Column[] = [
  text<V1EndpointSlice>('AddressType', ({ addressType }) => addressType),
  text<V1EndpointSlice>('Ports', ({ ports }) =>
    ports?.length ? few(ports.map(({ port }) => String(port ?? '*'))) : '<unset>',
  ),
  text<V1EndpointSlice>('Endpoints', ({ endpoints }) =>
    endpoints?.length ? few(endpoints.flatMap(({ addresses }) => addresses)) : '<unset>',
  ),
  AGE,
]

export const INGRESS_COLUMNS: readonly Column[] = [
  text<V1Ingress>(
    'Class',
    ({ spec, metadata }) => spec?.ingressClassName ?? metadata?.annotations?.['kubernetes.io/ingress.class'] ?? NONE,
  ),
  text<V1Ingress>('Hosts', ({ spec }) => {
    const hosts = (spec?.rules ?? []).map(({ host }) => host || '*')
    return hosts.length > 0 ? few(hosts) : '*'
  }),
  text<V1Ingress>('Address', ({ status }) =>
    (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname).join(','),
  ),
  text<V1Ingress>('Ports', ({ spec }) => (spec?.tls?.length ? '80, 443' : '80')),
  AGE,
]

export const INGRESS_CLASS_COLUMNS: readonly Column[] = [
  text<V1IngressClass>('Controller', ({ spec }) => spec?.controller),
  text<V1IngressClass>('Parameters', ({ spec }) => {
    const { kind, apiGroup, name } = spec?.parameters ?? {}
    return kind ? `${kind}${apiGroup ? `.${apiGroup}` : ''}/${name}` : NONE
  }),
  AGE,
]

export const NETWORK_POLICY_COLUMNS: readonly Column[] = [
  text<V1NetworkPolicy>('Pod-Selector', ({ spec }) => shownSelector(spec?.podSelector)),
  AGE,
]
