import type { App } from '@quayside/contract/apps/endpoints'
import type { Leftover } from '@quayside/contract/clusters/leftovers'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

let world: World
let teams: Teams
let mine: Team
let theirs: Team
let app: App
let ofTheirs: App

const configMap = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`
const theirObjects = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: readings }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 7Gi } } }
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: gentle }
value: -5
`

async function deployed(team: Team, objects: string): Promise<App> {
  const made = await teams.assign(team)
  expect(await teams.deploy(team, team.story, made, objects)).toMatchObject({ action: { state: 'Success' } })
  return teams.admin.good<App>(`/portal-api/v2/apps/${made.id}`)
}

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 } })
  teams = await teamsOn(world)
  ;[mine, theirs] = [await teams.team(), await teams.team()]
  ofTheirs = await deployed(theirs, theirObjects)
  app = await deployed(mine, configMap('ours'))
})
afterAll(() => world?.close())

const kept = (kind: string, name: string, namespace?: string, apiVersion = 'v1') => `---
apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: ${name}
${namespace ? `  namespace: ${namespace}\n` : ''}  annotations: { helm.sh/resource-policy: keep }
`

/** Objects of others, or of nobody, each as a release could say that it has it. */
const claimed = () => [
  ['PersistentVolumeClaim', 'readings', ofTheirs.namespace, 'v1'],
  ['Secret', `sh.helm.release.v1.${ofTheirs.releaseName}.v1`, ofTheirs.namespace, 'v1'],
  ['Secret', `space-${theirs.space.id}`, 'quayside-system', 'v1'],
  ['Namespace', ofTheirs.namespace, undefined, 'v1'],
  ['Namespace', 'nobodys', undefined, 'v1'],
  ['PriorityClass', 'gentle', undefined, 'scheduling.k8s.io/v1'],
  ['PriorityClass', 'nobodys', undefined, 'scheduling.k8s.io/v1'],
]
const forged = () =>
  `${configMap('ours')}${claimed()
    .map((one) => kept(...(one as [string, string, string | undefined, string])))
    .join('')}`

describe('whoever writes into the record of their release what others have', () => {
  it('is not told which of it is there when the app is to be deleted', async () => {
    await teams.storeAnew(app, (release) => ({
      ...release,
      manifest: forged(),
      hooks: [
        {
          name: 'readings',
          kind: 'PersistentVolumeClaim',
          path: 'x.yaml',
          manifest: kept('PersistentVolumeClaim', 'readings', ofTheirs.namespace),
          events: ['post-install'],
        },
      ],
    }))
    const { data } = await mine.story.good<{ data: Leftover[] }>(`/deployment/v1/helm/deployment/leftovers/${app.id}`)
    expect(data.filter(({ what }) => what === 'object')).toEqual([])
  })

  it('is told the same of what is there and of what is not when they look at the app', async () => {
    await teams.storeAnew(app, (release) => ({ ...release, manifest: forged(), hooks: [] }))
    type Row = { kind: string; name: string; state: string; detail: string }
    const overview = await mine.story.good<{ objects: Row[] }>(`/cluster/v1/apps/${app.id}/overview`)
    const said = (kind: string) =>
      new Set(overview.objects.flatMap((row) => (row.kind === kind ? [`${row.state} ${row.detail}`] : [])))
    for (const kind of ['Namespace', 'PriorityClass']) {
      expect(overview.objects.filter((row) => row.kind === kind)).toHaveLength(2)
      expect([...said(kind)], kind).toEqual(['degraded It is not in the cluster'])
    }
    expect([...said('Secret')]).toEqual(['unknown The cluster did not tell'])
  })

  it('still sees what is their own outside of the space', async () => {
    const { objects } = await theirs.story.good<{ objects: { kind: string; detail: string }[] }>(
      `/cluster/v1/apps/${ofTheirs.id}/overview`,
    )
    expect(objects).toContainEqual(expect.objectContaining({ kind: 'PriorityClass', state: 'healthy' }))
  })
})
