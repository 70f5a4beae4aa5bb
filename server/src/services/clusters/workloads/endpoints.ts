import type { AppOverview } from '@quayside/contract/clusters/endpoints'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import type { Part } from '../releases/app-parts.ts'
import { countOf, type Fields, fieldsOf, listOf, textOf } from './fields.ts'
import { externalAddressesOf, isHost } from './present.ts'

type Endpoint = AppOverview['endpoints'][number]

const mostEndpoints = 100

/** Where an app can be reached: through its ingresses first, then its services from outside, then from inside. */
export function endpointsOfParts(parts: readonly Part[]): Endpoint[] {
  const objects = parts.flatMap(({ object }) => object ?? [])
  const ingresses = objects.filter(({ kind }) => kind === 'Ingress').flatMap(ofIngress)
  const services = objects.filter(({ kind }) => kind === 'Service').flatMap(ofService)
  return [...ingresses, ...services].slice(0, mostEndpoints)
}

function ofIngress(ingress: KubeObject): Endpoint[] {
  const spec = fieldsOf(ingress.spec)
  const secured = new Set(listOf(spec.tls).flatMap(({ hosts }) => (Array.isArray(hosts) ? hosts.map(String) : [])))
  return listOf(spec.rules).flatMap((rule) => {
    const host = textOf(rule.host) || externalAddressesOf(ingress)[0] || ''
    if (!isHost(host)) return []
    const paths = listOf(fieldsOf(rule.http).paths).map(({ path }) => textOf(path) || '/')
    const scheme = secured.has(host) ? 'https' : 'http'
    return (paths.length > 0 ? paths : ['/']).filter(isPath).map((path) => ({
      kind: 'Ingress',
      name: ingress.metadata.name,
      address: `${scheme}://${bracketed(host)}${path}`,
    }))
  })
}

function ofService(service: KubeObject): Endpoint[] {
  const spec = fieldsOf(service.spec)
  const { name, namespace } = service.metadata
  const ports = listOf(spec.ports)
  const outside = externalAddressesOf(service).flatMap((host) => ports.map((port) => addressOf(bracketed(host), port)))
  const inside = ports.map((port) => addressOf(`${name}.${namespace}.svc`, port))
  const addresses = outside.length > 0 ? outside : textOf(spec.type) === 'ExternalName' ? [] : inside
  return addresses.map((address) => ({ kind: 'Service', name, address }))
}

function addressOf(host: string, port: Fields): string {
  const number = countOf(port.port)
  const name = textOf(port.appProtocol) || textOf(port.name)
  const scheme = number === 443 || /^https/.test(name) ? 'https' : number === 80 || /^http/.test(name) ? 'http' : 'tcp'
  const isUsual = (scheme === 'https' && number === 443) || (scheme === 'http' && number === 80)
  return `${scheme}://${host}${isUsual ? '' : `:${number}`}`
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

function isPath(path: string): boolean {
  return /^\/[\w./~%-]*$/.test(path)
}
