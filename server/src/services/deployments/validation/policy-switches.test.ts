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
  expect(policySwitches([policy('db')], values)).toEqual([
    [
      ['networkPolicy', 'enabled'],
      ['primary', 'networkPolicy', 'enabled'],
    ],
  ])
})

it('a chart that is brought along is switched by its place, which the values of the chart need not name', () => {
  const sources = [policy('shop/charts/db', 'primary/networkpolicy.yaml'), policy('shop/charts/db/charts/exporter')]
  const [charts, components, both] = policySwitches(sources, { replicas: 1 })
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
