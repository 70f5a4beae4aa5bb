import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { type Teams, teamsOn } from '../team-with-charts.ts'
import { readsNodes, role } from './charts-that-reach-out.ts'

let world: World
let teams: Teams

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
})
afterAll(() => world?.close())

const line = '-'.repeat(13)
/** Definitions of linkerd describe a table like this, and other charts draw lines in comments and files. */
const drawn = (kind: string, name: string) => `# ${line}${line} a line ${line}x
apiVersion: v1
kind: ${kind}
metadata:
  name: ${name}
  annotations:
    table: "a table of paths ${line}|${line}|${line}
      a | b | c"
data:
  script: |
    # ${line}${line}
    echo '${line}x'
  last: one
`
/** Helm hands a document over without the line end behind its last text, and prints it with one. */
const noted = `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
rules: [${readsNodes}]
metadata:
  name: noted
  annotations:
    note: |
      the end
`

test('a chart that draws lines of dashes is compared and applied as it was rendered', async () => {
  const team = await teams.team()
  const app = await teams.assign(team)
  const objects = `${drawn('ConfigMap', 'drawn')}${role('drawn', readsNodes)}${noted}`
  await teams.approve(team, app, objects)
  const { action } = await teams.deploy(team, team.story, app, objects)
  expect(JSON.stringify(action)).toContain('"state":"Success"')
  const { namespace } = team.space
  const { data, metadata } = await teams.clients.core.readNamespacedConfigMap({ name: 'drawn', namespace })
  expect(data).toEqual({ script: `# ${line}${line}\necho '${line}x'\n`, last: 'one' })
  expect(metadata?.annotations?.table).toBe(`a table of paths ${line}|${line}|${line} a | b | c`)
})

test('nothing is hidden behind such a line from who compares', async () => {
  const team = await teams.team()
  const app = await teams.assign(team)
  const hidden = `${drawn('ConfigMap', 'front')}${role('behind', readsNodes)}`
  const { action } = await teams.deploy(team, team.story, app, hidden)
  expect([action?.state, JSON.stringify(action)]).toEqual(['Failed', expect.stringContaining('ClusterRole behind')])
})
