import { expect, it } from 'vitest'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import type { Part } from '../releases/app-parts.ts'
import { endpointsOfParts } from './endpoints.ts'

function part(kind: string, spec: object, status: object = {}): Part {
  const object: KubeObject = { apiVersion: 'v1', kind, metadata: { name: 'web', namespace: 'team' }, spec, status }
  const state = { state: 'healthy' as const, detail: '', message: null }
  return { id: kind, parent: null, kind, name: 'web', namespace: 'team', object, hook: false, state }
}
const addresses = (...parts: Part[]) => endpointsOfParts(parts).map(({ address }) => address)
const balancer = (...ingress: object[]) => ({ loadBalancer: { ingress } })

it.each([
  [
    'inside',
    part('Service', { ports: [{ port: 80 }, { port: 5432 }] }),
    ['http://web.team.svc', 'tcp://web.team.svc:5432'],
  ],
  ['by name of the port', part('Service', { ports: [{ port: 8080, name: 'http-web' }] }), ['http://web.team.svc:8080']],
  [
    'outside',
    part('Service', { type: 'LoadBalancer', ports: [{ port: 443 }] }, balancer({ ip: '203.0.113.9' })),
    ['https://203.0.113.9'],
  ],
  ['by IPv6', part('Service', { ports: [{ port: 81 }] }, balancer({ ip: '2001:db8::1' })), ['tcp://[2001:db8::1]:81']],
  [
    'through an ingress',
    part('Ingress', { rules: [{ host: 'a.example.com', http: { paths: [{ path: '/x' }] } }] }),
    ['http://a.example.com/x'],
  ],
  [
    'secured',
    part('Ingress', { tls: [{ hosts: ['a.example.com'] }], rules: [{ host: 'a.example.com' }] }),
    ['https://a.example.com/'],
  ],
] as const)('reaches a service %s', (_, one, expected) => {
  expect(addresses(one)).toEqual(expected)
})

it('makes no address of what is no host or no path', () => {
  const rules = [
    { host: 'javascript:alert(1)' },
    { host: 'a/b' },
    { host: 'ok.example.com', http: { paths: [{ path: '/"><script>' }] } },
  ]
  expect(addresses(part('Ingress', { rules }))).toEqual([])
  expect(addresses(part('Service', { ports: [{ port: 80 }] }, balancer({ hostname: 'a b<c>' })))).toEqual([
    'http://web.team.svc',
  ])
})
