import { noReach } from '@quayside/contract/clusters/network-reach'
import { expect, test } from 'vitest'
import { loosens } from './loosens.ts'

const closed = { podSecurity: 'baseline', network: 'standard', reaches: noReach } as const
const opened = {
  podSecurity: 'privileged',
  network: 'open',
  reaches: { internet: true, apiServer: true, namespaces: ['b'], addresses: ['10.0.0.0/8'], chartPolicies: true },
} as const

test.each([
  { podSecurity: 'privileged' as const },
  { network: 'open' as const },
  ...(['internet', 'apiServer', 'chartPolicies'] as const).map((each) => ({ reaches: { ...noReach, [each]: true } })),
  { reaches: { ...noReach, namespaces: ['b'] } },
  { reaches: { ...noReach, addresses: ['10.0.0.0/8'] } },
])('%j lets a space do more, and its opposite less', (change) => {
  const after = { ...closed, ...change }
  expect(loosens(closed, after)).toBe(true)
  expect(loosens(after, closed)).toBe(false)
})

test('what stays or becomes less in each respect loosens nothing, and less in one makes up for nothing in another', () => {
  const reaches = { ...opened.reaches, namespaces: [...opened.reaches.namespaces], addresses: [] }
  const wide = { ...opened, reaches: { ...reaches, addresses: ['10.0.0.0/8'] } }
  expect(loosens(wide, wide)).toBe(false)
  expect(loosens(wide, closed)).toBe(false)
  expect(loosens(wide, { ...closed, reaches: { ...noReach, namespaces: ['c'] } })).toBe(true)
})
