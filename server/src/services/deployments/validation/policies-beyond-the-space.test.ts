import { expect, it } from 'vitest'
import { policiesBeyondTheSpace } from './policies-beyond-the-space.ts'

const policy = (egress: unknown, more: { namespace?: string; kind?: string } = {}) => ({
  ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', name: 'db', namespace: undefined, ...more },
  body: { spec: { podSelector: {}, egress } },
})
const own = { to: [{ podSelector: { matchLabels: { app: 'db' } } }], ports: [{ port: 5432 }] }
const dns = { ports: [{ port: 53, protocol: 'UDP' }, { port: 53 }] }

it.each([
  ['every address', [own, {}], 1],
  ['every address, said twice', [{ to: [], ports: [] }], 0],
  ['a port of every address', [{ ports: [{ port: 443 }] }], 0],
  ['ports from that of DNS on', [{ ports: [{ port: 53, endPort: 60000 }] }], 0],
  ['a named port', [{ ports: [{ port: 'dns' }] }], 0],
  ['DNS beside another port', [{ ports: [{ port: 53 }, { port: 80 }] }], 0],
  ['addresses', [{ to: [{ ipBlock: { cidr: '169.254.169.254/32' } }] }], 0],
  ['pods of every namespace', [{ to: [{ namespaceSelector: {}, podSelector: {} }] }], 0],
  ['own pods beside a namespace', [{ to: [...own.to, { namespaceSelector: {} }] }], 0],
  ['no rule that can be read', ['all'], 0],
])('a policy that opens %s is refused with the rule', (_, egress, at) => {
  expect(policiesBeyondTheSpace([policy(egress)], 'shop')).toMatchObject([
    {
      said: expect.stringMatching(/^NetworkPolicy db lets its pods reach more/),
      object: { path: `spec.egress[${at}]` },
    },
  ])
})

it.each([
  ['own pods and DNS', policy([own, dns])],
  ['nothing', policy([])],
  ['who comes in alone', policy(undefined)],
  ['what another kind is', policy([{}], { kind: 'Other' })],
  ['another namespace, which is judged as such', policy([{}], { namespace: 'kube-system' })],
])('a policy is let be that opens %s', (_, object) => {
  expect(policiesBeyondTheSpace([object], 'shop')).toEqual([])
})
