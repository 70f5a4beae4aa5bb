import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { packChart } from './chart-package.ts'
import { readSamples, type SampleGroup } from './samples.ts'

const samples = readSamples(resolve(import.meta.dirname, '../../../samples'))

type Chart = { name: string; version: string; icon: string; description: string; annotations: Record<string, string> }
const chartOf = (folder: string) => parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8')) as Chart

test('every app type and a flow are there, some in several versions', () => {
  const types = samples.charts.map(({ folder }) => chartOf(folder).annotations)
  expect(new Set(types.map((of) => of['quayside.io/app-type']))).toEqual(
    new Set(['Containerized', 'Legacy', 'SaaS', 'Serverless']),
  )
  expect(types.some((of) => of['quayside.io/item-type'] === 'Flow')).toBe(true)
  const versions = Map.groupBy(samples.charts, ({ name }) => name)
  expect([...versions.values()].filter((list) => list.length > 1).length).toBeGreaterThanOrEqual(4)
})

test.each(samples.charts)('$name $version says what the catalog shows', ({ folder, name, version }) => {
  const chart = chartOf(folder)
  expect(chart).toMatchObject({ name, version })
  for (const word of ['display-name', 'category', 'manufacturer', 'short-description', 'tags', 'resource-roles']) {
    expect(chart.annotations[`quayside.io/${word}`], word).toBeTruthy()
  }
  expect(chart.annotations['quayside.io/color']).toMatch(/^#[0-9a-f]{6}$/)
  const icon = Buffer.from(chart.icon.replace('data:image/svg+xml;base64,', ''), 'base64').toString()
  expect(icon).toMatch(/^<svg .*<\/svg>$/s)
  expect(chart.icon.length).toBeLessThan(4096)
})

test('dashboards belong to people who are there, and their panels lie on the grid and name spaces that are there', () => {
  expect(samples.dashboards.length).toBeGreaterThan(0)
  for (const { owner, panels } of samples.dashboards) {
    expect(samples.people.map(({ username }) => username)).toContain(owner)
    for (const { name, x, width, space } of panels) {
      expect(x + width, name).toBeLessThanOrEqual(24)
      if (space !== undefined) expect(samples.spaces.map(({ displayName }) => displayName)).toContain(space)
    }
  }
})

test('a chart packs to the same bytes every time, with Chart.yaml first', async () => {
  const [chart] = samples.charts
  if (!chart) throw new Error('no sample chart')
  const packed = await packChart(chart.folder, chart.name)
  expect(packed.equals(await packChart(chart.folder, chart.name))).toBe(true)
  expect(gunzipSync(packed).subarray(0, 100).toString().replaceAll('\0', '')).toBe(`${chart.name}/Chart.yaml`)
})

test('people belong to groups that exist', () => {
  const paths = (groups: SampleGroup[], above = ''): string[] =>
    groups.flatMap(({ name, children = [] }) => [`${above}/${name}`, ...paths(children, `${above}/${name}`)])
  const known = paths(samples.groups)
  for (const person of samples.people) expect(known).toEqual(expect.arrayContaining(person.groups))
  expect(samples.spaces.length).toBe(2)
})

test('each space has an owner, a manager, a deployer and a viewer, who are people and groups of its team', () => {
  for (const { displayName, members } of samples.spaces) {
    expect(members.map(({ role }) => role).sort()).toEqual(['deployer', 'manager', 'viewer'])
    expect(members.filter(({ owner }) => owner)).toHaveLength(1)
    for (const { user, group } of members) {
      const isOfTeam = (path: string) => path.startsWith(`/Product Teams/${displayName}`)
      if (group) expect(isOfTeam(group), group).toBe(true)
      else expect(samples.people.find(({ username }) => username === user)?.groups.some(isOfTeam), user).toBe(true)
    }
  }
  expect(samples.people.flatMap(({ signsInAs }) => signsInAs ?? [])).toEqual(['Storefront team', 'Telemetry team'])
})
