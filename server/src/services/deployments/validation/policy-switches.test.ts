import { expect, it } from 'vitest'
import { policySwitches } from './policy-switches.ts'

const policy = (chart: string, file = 'networkpolicy.yaml') => `${chart}/templates/${file}`

it('the switch of the chart itself, and of its components, is found in its values', () => {
  const values = {
    networkPolicy: { enabled: true, allowExternal: true },
    primary: { networkPolicy: { enabled: true }, replicas: 1 },
    metrics: { networkPolicy: { enabled: false } },
    networkpolicies: [{ enabled: true }],
  }
  const own = ['networkPolicy', 'enabled']
  const ofPrimary = ['primary', 'networkPolicy', 'enabled']
  expect(policySwitches([policy('db', 'policies.yaml'), policy('db', 'primary/policy.yaml')], values)).toEqual([
    [own, ofPrimary],
  ])
  // Those that were not refused are switched off only where nothing less helps.
  expect(policySwitches([policy('db')], values)).toEqual([[own], [own, ofPrimary]])
  expect(policySwitches([policy('db', 'primary/policy.yaml')], values)).toEqual([[ofPrimary], [own, ofPrimary]])
  expect(policySwitches([policy('db', 'policies/policy.yaml')], values)).toEqual([[own, ofPrimary]])
})

it('a chart that is brought along is switched by its place, which the values of the chart need not name', () => {
  const sources = [policy('shop/charts/db', 'primary/networkpolicy.yaml'), policy('shop/charts/db/charts/exporter')]
  const [own, charts, components, both] = policySwitches(sources, { replicas: 1 })
  expect(own).toEqual([
    ['db', 'primary', 'networkPolicy', 'enabled'],
    ['db', 'exporter', 'networkPolicy', 'enabled'],
  ])
  expect(charts).toEqual([
    ['db', 'networkPolicy', 'enabled'],
    ['db', 'exporter', 'networkPolicy', 'enabled'],
  ])
  expect(components).toEqual([['db', 'primary', 'networkPolicy', 'enabled']])
  expect(both).toEqual([...(charts ?? []), ...(components ?? [])])
})

it('nothing is tried where no value looks like a switch', () => {
  expect(policySwitches([policy('db'), '', 'templates/x.yaml'], { policy: { enabled: true } })).toEqual([])
  expect(policySwitches([], null)).toEqual([])
})
