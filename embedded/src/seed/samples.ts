import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export type SampleGroup = { name: string; realmRoles?: string[]; children?: SampleGroup[] }
export type SamplePerson = {
  username: string
  firstName: string
  lastName: string
  email: string
  groups: string[]
  /** Has a password from the first start on, which the table shows under this label. */
  signsInAs?: string
}
/** Member of a space with a role: a user by name or a group by path. */
export type SampleMember = { user?: string; group?: string; role: string; owner?: boolean }
export type SampleSpace = { displayName: string; description: string; members: SampleMember[] }
/** A panel with its place on the grid; `space` names the space that it is about. */
export type SamplePanel = {
  name: string
  x: number
  y: number
  width: number
  height: number
  kind: string
  space?: string
  spec?: Record<string, unknown>
}
export type SampleDashboard = {
  displayName: string
  description: string
  owner: string
  tags: string[]
  panels: SamplePanel[]
}
export type SampleChart = { name: string; version: string; folder: string; featured: boolean }

/** Initial content of a new tenant, read from the files in samples/. */
export type Samples = {
  groups: SampleGroup[]
  people: SamplePerson[]
  spaces: SampleSpace[]
  dashboards: SampleDashboard[]
  charts: SampleChart[]
}

export function readSamples(folder: string): Samples {
  const list = <Entry>(file: string) => parse(readFileSync(join(folder, file), 'utf8')) as Entry[]
  return {
    groups: list('groups.yaml'),
    people: list('people.yaml'),
    spaces: list('spaces.yaml'),
    dashboards: list('dashboards.yaml'),
    charts: readCharts(join(folder, 'charts')),
  }
}

/** Charts by name, the versions of each from old to new. */
function readCharts(folder: string): SampleChart[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) =>
      readdirSync(join(folder, name))
        .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
        .map((version) => readChart(join(folder, name, version), name, version)),
    )
}

function readChart(folder: string, name: string, version: string): SampleChart {
  const chart = parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8')) as { annotations?: Record<string, string> }
  return { name, version, folder, featured: chart.annotations?.['quayside.io/featured'] === 'true' }
}
