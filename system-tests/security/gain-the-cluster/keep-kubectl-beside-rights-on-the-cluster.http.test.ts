import type { Kubeconfig } from '@quayside/contract/clusters/kubeconfigs'
import { createFaults } from '@quayside/embedded/story/cluster-faults'
import { deployDataOf } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askCluster, kubeconfigsPath, statusOf } from '../kubectl-user.ts'
import { type Teams, teamsOn } from '../team-with-charts.ts'

const objects = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reads-nodes}
rules: [{apiGroups: [""], resources: [nodes], verbs: [get, list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reads-nodes}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reads-nodes}
subjects: [{kind: ServiceAccount, name: default, namespace: "{{ .Release.Namespace }}"}]
`
let world: World
let teams: Teams
let faults: ReturnType<typeof createFaults>

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 }, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  faults = createFaults(teams.kubeconfig)
})
afterAll(() => world?.close())

test('a kubeconfig from before an approved release reads no secrets and makes no pods once its rights exist', async () => {
  const by = await teams.team()
  const { namespace, id: spaceId } = by.space
  const places = [{ spaceId, clusterId: teams.cluster.id }]
  const held = await by.story.good<Kubeconfig>(kubeconfigsPath, { body: { places } })
  const makePod = () =>
    askCluster(held.kubeconfig, '/api/v1/namespaces/{namespace}/pods?dryRun=All', {
      method: 'POST',
      body: { metadata: { name: 'own' }, spec: { containers: [{ name: 'a', image: 'b' }] } },
    })
  expect([await statusOf(held, 'secrets'), (await makePod()).status]).toEqual([200, 201])
  const app = await teams.assign(by)
  await teams.approve(by, app, objects)

  // A role that is taken away is a binding that is deleted: while that fails, nothing may have rights on the cluster.
  await faults.add({ kind: 'reset', method: 'DELETE', resource: 'rolebindings', namespace })
  const releaseName = await by.story.releaseName(app, 'anything')
  const { actionId } = await by.story.good<{ actionId: string }>('/deployment/v1/helm/deployment/actions.Deploy', {
    body: {
      appId: app.id,
      versionId: teams.child.version.id,
      releaseName,
      deployData: deployDataOf(app, by.space, teams.child, `objects: ${JSON.stringify(objects)}\n`),
    },
  })
  const said = async () => JSON.stringify(await teams.admin.good(`/deployment/v1/actions/${actionId}/events`))
  try {
    await expect.poll(said, { timeout: 30_000 }).toMatch(/Waiting for the API of the cluster|result of App/)
    expect(await said()).not.toContain('result of App')
    const bindings = (await teams.clients.rbac.listClusterRoleBinding({ labelSelector: 'quayside.io/action' })).items
    expect(bindings).toEqual([])
  } finally {
    await faults.clear()
  }
  expect((await by.story.ended(actionId)).state).toBe('Success')
  expect([await statusOf(held, 'secrets'), (await makePod()).status]).toEqual([403, 403])
})
