import type { DashboardSpec } from '@quayside/contract/dashboards/spec'
import { expect, it } from 'vitest'
import { type Item, keyOf, placed, titlesOf, withoutPanel, withPanel, withTitles } from './grid.ts'

const item = (key: string, x: number, y: number, width = 8, height = 4): Item => ({
  ...{ x, y, width, height },
  content: { $ref: `#/spec/panels/${key}` },
})
const places = (items: readonly Item[]) => Object.fromEntries(items.map((one) => [keyOf(one), [one.x, one.y]]))

it('others make way for a panel that is moved onto them', () => {
  const items = [item('a', 0, 0), item('b', 8, 0), item('c', 0, 4)]
  expect(places(placed(items, { ...item('b', 0, 0) }))).toEqual({ b: [0, 0], a: [0, 4], c: [0, 8] })
})

it('a panel stays within the columns and closes up to the top', () => {
  expect(places(placed([item('a', 0, 0)], item('a', 30, 9)))).toEqual({ a: [16, 0] })
  expect(places(placed([item('a', 0, 0)], item('a', -3, 0)))).toEqual({ a: [0, 0] })
})

it('a panel is added where it first fits, and taken away with its place', () => {
  const panel = {
    kind: 'Panel',
    spec: { display: { name: 'Text' }, plugin: { kind: 'Markdown', spec: { text: '' } } },
  } as const
  const empty: DashboardSpec = { duration: '24h', refreshInterval: '0s', panels: {}, layouts: [] }
  const one = withPanel(empty, panel, { w: 8, h: 4 })
  const two = withPanel(one.spec, panel, { w: 8, h: 4 })
  expect(places(two.spec.layouts[0]?.spec.items ?? [])).toEqual({ 'panel-1': [0, 0], 'panel-2': [8, 0] })
  const wide = withPanel(two.spec, panel, { w: 16, h: 4 })
  expect(places(wide.spec.layouts[0]?.spec.items ?? [])).toMatchObject({ 'panel-3': [0, 4] })
  const narrow = withPanel(wide.spec, panel, { w: 8, h: 4 })
  expect(places(narrow.spec.layouts[0]?.spec.items ?? [])).toMatchObject({ 'panel-4': [16, 0] })
  const left = withoutPanel(two.spec, 'panel-1')
  expect(Object.keys(left.panels)).toEqual(['panel-2'])
  expect(places(left.layouts[0]?.spec.items ?? [])).toEqual({ 'panel-2': [8, 0] })
})

it('sections get titles, and an emptied one leaves a section without', () => {
  type Grid = DashboardSpec['layouts'][number]
  const grid: Grid = { kind: 'Grid', spec: { items: [] } }
  const titled: Grid = { kind: 'Grid', spec: { display: { title: 'Old' }, items: [] } }
  const spec: DashboardSpec = { duration: '24h', refreshInterval: '0s', panels: {}, layouts: [grid, titled] }
  const next = withTitles(spec, [' Shop ', ' '])
  expect(titlesOf(next)).toEqual(['Shop', ''])
  expect(next.layouts[1]).toEqual(grid)
  expect(withTitles(spec, titlesOf(spec))).toEqual(spec)
})
