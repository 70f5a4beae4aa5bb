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
  ['fluxcd.controlplane.io', 'resourcesets', 'ResourceSet'],
  ['core.oam.dev', 'applications', 'Application'],
  ['hnc.x-k8s.io', 'subnamespaceanchors', 'SubnamespaceAnchor'],
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

test('the API server connects nobody of a space to addresses that a chart has written into endpoints', async () => {
  const proxying = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: proxying}
rules: [{apiGroups: [""], resources: [services/proxy], verbs: [get]}]
`
  const app = await teams.assign(team)
  const found = await teams.validate(team, app, proxying)
  expect(found.lines.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^Role proxying gives .*services\/proxy/),
  )
  const { action } = await teams.deploy(team, team.story, app, proxying)
  expect([action?.state, JSON.stringify(action)]).toEqual(['Failed', expect.stringContaining('not currently held')])
  for (const role of ['viewer', 'deployer', 'manager', 'deployer-account']) {
    const { rules = [] } = await teams.clients.rbac.readClusterRole({ name: `quayside:${role}` })
    expect(rules.flatMap(({ resources = [] }) => resources)).not.toContain('services/proxy')
  }
})

test.each(['openshift-monitoring', 'cattle-system', 'gke-managed-system', 'amazon-cloudwatch'])(
  'nobody approves what a chart would make in %s',
  async (namespace) => {
    const account = `apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: ${namespace}}\n`
    const made = `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${namespace}}\n`
    await teams.clients.core.createNamespace({ body: { metadata: { name: namespace } } })
    const app = await teams.assign(team)
    for (const objects of [account, made]) {
      const { outside } = await teams.validate(team, app, objects)
      expect(outside?.needs.map(({ verdict }) => verdict)).toEqual(['never'])
    }
  },
)
