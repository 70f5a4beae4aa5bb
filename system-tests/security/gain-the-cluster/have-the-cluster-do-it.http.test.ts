import { ApiextensionsV1Api } from '@kubernetes/client-node'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

let world: World
let teams: Teams
let team: Team

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  team = await teams.team()
})
afterAll(() => world?.close())

const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: first}\n'

/** A kind as k3s, OLM and Flux have it: a program with the rights of the cluster makes what such an object says. */
async function define(group: string, plural: string, kind: string) {
  await teams.kubeconfig.makeApiClient(ApiextensionsV1Api).createCustomResourceDefinition({
    body: {
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind, plural },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object' } },
          },
        ],
      },
    },
  })
}

test.each([
  ['helm.cattle.io', 'helmcharts', 'HelmChart'],
  ['operators.coreos.com', 'clusterserviceversions', 'ClusterServiceVersion'],
  ['kustomize.toolkit.fluxcd.io', 'kustomizations', 'Kustomization'],
])(
  'no chart hands its work to a program with the rights of the cluster, by an object of %s',
  async (group, plural, kind) => {
    await define(group, plural, kind)
    const deploy = async (objects: string) => {
      const { action } = await teams.deploy(team, team.story, await teams.assign(team), objects)
      return [action?.state, JSON.stringify(action)]
    }
    expect((await deploy(map.replace('first', plural)))[0]).toBe('Success')
    const [state, says] = await deploy(`apiVersion: ${group}/v1\nkind: ${kind}\nmetadata: {name: all}\nspec: {a: b}\n`)
    expect([state, says]).toEqual(['Failed', expect.stringMatching(/may not make|forbidden|cannot/)])
  },
)
