import { noReach } from '@quayside/contract/clusters/network-reach'
import { expect, it } from 'vitest'
import type { SpaceSettings } from './loosens.ts'
import { strictest } from './strictest.ts'

const wide: SpaceSettings = {
  podSecurity: 'privileged',
  network: 'open',
  reaches: { internet: true, apiServer: true, namespaces: ['a', 'b'], addresses: ['10.0.0.0/8'], chartPolicies: true },
  ingressNamespaces: ['ingress-nginx', 'traefik'],
}
const usual: SpaceSettings = {
  podSecurity: 'baseline',
  network: 'standard',
  reaches: { ...noReach, internet: true, namespaces: ['b'] },
  ingressNamespaces: ['traefik'],
}

it('one registration counts as it is', () => {
  expect(strictest(wide)).toEqual(wide)
})

it.each([
  ['in whichever order', wide, usual],
  ['in whichever order', usual, wide],
])('of two the stricter counts, %s', (_, one, other) => {
  expect(strictest(one, other)).toEqual(usual)
})

it('each is the stricter one in some respect', () => {
  const other: SpaceSettings = { ...wide, podSecurity: 'restricted', reaches: { ...wide.reaches, internet: false } }
  expect(strictest(usual, other)).toEqual({
    ...usual,
    podSecurity: 'restricted',
    reaches: { ...noReach, namespaces: ['b'] },
  })
})
