import { z } from 'zod'
import type { ClusterConnection } from './kubernetes.ts'

const Slice = z.looseObject({
  endpoints: z.array(z.looseObject({ addresses: z.array(z.string()).default([]) })).nullish(),
  ports: z.array(z.looseObject({ port: z.number().int() })).nullish(),
})
const Service = z.looseObject({ spec: z.looseObject({ clusterIP: z.string() }) })
const ip = /^[0-9a-fA-F.:]{2,45}$/

/** Where pods reach the API server: its own addresses, to which its service leads, and that of the service. */
export async function apiServers(connection: Pick<ClusterConnection, 'list' | 'get'>) {
  const [slices, service] = await Promise.all([
    connection
      .list('discovery.k8s.io/v1/endpointslices', {
        namespace: 'default',
        labelSelector: 'kubernetes.io/service-name=kubernetes',
      })
      .catch(() => []),
    connection.get('v1/services', 'default', 'kubernetes').catch(() => undefined),
  ])
  const found = slices.flatMap((slice) => {
    const { endpoints, ports } = Slice.safeParse(slice).data ?? {}
    const addresses = (endpoints ?? []).flatMap((one) => one.addresses)
    return addresses.flatMap((address) => (ports ?? []).map(({ port }) => ({ ip: address, port })))
  })
  const own = Service.safeParse(service).data?.spec.clusterIP
  const all = [...found, ...(own ? [{ ip: own, port: 443 }] : [])].filter((one) => ip.test(one.ip)).slice(0, 20)
  return all.sort((a, b) => (a.ip < b.ip ? -1 : a.ip > b.ip ? 1 : a.port - b.port))
}
