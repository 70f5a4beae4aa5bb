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
  ['build.openshift.io', 'buildconfigs', 'BuildConfig'],
  ['gateway.envoyproxy.io', 'envoyproxies', 'EnvoyProxy'],
  ['kubernetes.m.crossplane.io', 'objects', 'Object'],
  ['upgrade.cattle.io', 'plans', 'Plan'],
])(
  'no chart hands its work to a program with the rights of the cluster, by an object of %s',
  async (group, plural, kind) => {
    await define(group, plural, kind)
    const all = `apiVersion: ${group}/v1\nkind: ${kind}\nmetadata: {name: all}\nspec: {a: b}\n`
    const { action } = await teams.deploy(team, team.story, await teams.assign(team), all)
    // Not because nobody holds a group yet that came a moment ago.
    expect([action?.state, JSON.stringify(action)]).toEqual(['Failed', expect.stringContaining('charts may not make')])
  },
)

test.each([
  ['addresses that a chart has written into endpoints', 'services/proxy'],
  ['the address of a pod that has ended, which another pod has by now', 'pods/proxy'],
])('the API server connects nobody of a space to %s', async (_, resource) => {
  const proxying = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: proxying}
rules: [{apiGroups: [""], resources: [${resource}], verbs: [get]}]
`
  const app = await teams.assign(team)
  const found = await teams.validate(team, app, proxying)
  expect(found.lines.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(new RegExp(`^Role proxying gives .*${resource}`)),
  )
  const { action } = await teams.deploy(team, team.story, app, proxying)
  expect([action?.state, JSON.stringify(action)]).toEqual(['Failed', expect.stringContaining('not currently held')])
  for (const role of ['viewer', 'deployer', 'manager', 'deployer-account']) {
    const { rules = [] } = await teams.clients.rbac.readClusterRole({ name: `quayside:${role}` })
    expect(rules.flatMap(({ resources = [] }) => resources)).not.toContain(resource)
  }
})

test('an operator that gives pods of the space every right there does not give them the namespace itself', async () => {
  const { namespace } = team.space
  const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: first}\n'
  const { action } = await teams.deploy(team, team.story, await teams.assign(team), map)
  expect(action?.state).toBe('Success')
  const { core, rbac } = teams.clients
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]
  await rbac.createNamespacedRole({ namespace, body: { metadata: { name: 'controller' }, rules } })
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'controller' }
  const subjects = [{ kind: 'ServiceAccount', name: 'default', namespace }]
  await rbac.createNamespacedRoleBinding({ namespace, body: { metadata: { name: 'controller' }, roleRef, subjects } })
  const pod = teams.asUser(`system:serviceaccount:${namespace}:default`)
  const found = await core.readNamespace({ name: namespace })
  const labels: Record<string, string> = {
    ...found.metadata?.labels,
    'pod-security.kubernetes.io/enforce': 'privileged',
  }
  const { 'quayside.io/space': _, ...unmarked } = labels
  const kept = /kept by the portal/
  for (const each of [labels, unmarked]) {
    const body = { ...found, metadata: { ...found.metadata, labels: each } }
    await expect(pod.replaceNamespace({ name: namespace, body })).rejects.toThrow(kept)
    await expect(pod.replaceNamespaceStatus({ name: namespace, body })).rejects.toThrow(kept)
    await expect(pod.replaceNamespaceFinalize({ name: namespace, body })).rejects.toThrow(kept)
  }
  await expect(pod.deleteNamespace({ name: namespace })).rejects.toThrow(kept)
  expect((await core.readNamespace({ name: namespace })).metadata?.labels).toEqual(found.metadata?.labels)
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
