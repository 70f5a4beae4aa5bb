import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import { type ActionEvent, deployments } from '@quayside/contract/deployments/endpoints'
import { pathOf } from '@quayside/contract/http/path'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { World } from '@quayside/embedded/world'
import { startCluster } from '@quayside/embedded-kubernetes/cluster'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'
import { late, rbacVersion } from './charts-that-reach-out.ts'

/** Much longer than a deployment takes, and shorter than a cluster is waited for. */
const policiesAfterMs = 8000

let world: World
let teams: Teams
let team: Team

beforeAll(async () => {
  const cluster = { speed: 10, policiesAfterMs }
  world = await World.start({ cluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  team = await teams.team()
})
afterAll(() => world?.close())

const binding = `---
${rbacVersion}
kind: RoleBinding
metadata: {name: late}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "quayside:deployer"}
subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: ines}]
`

test('the first deployment on a cluster is held by its policies, although they come into force later', async () => {
  const { action } = await teams.deploy(team, teams.admin, await teams.assign(team), late(binding))
  expect([action?.state, JSON.stringify(action)]).toEqual([
    'Failed',
    expect.stringContaining('A binding in a space gives rights to accounts of that space alone.'),
  ])
  const { data } = await teams.admin.good<{ data: ActionEvent[] }>(
    pathOf(deployments.actionEvents, { id: action?.id ?? '' }),
  )
  expect(JSON.stringify(data)).toMatch(
    /Waiting until the cluster enforces what keeps spaces apart: [a-z, -]*quayside-own-bindings/,
  )
  const { items } = await teams.clients.rbac.listNamespacedRoleBinding({ namespace: team.space.namespace })
  expect(items.map(({ metadata }) => metadata?.name)).not.toContain('late')
})

test('a kubeconfig for a space where nobody has deployed is held by them from the moment on that it is handed out', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quayside-fresh-cluster-'))
  const fresh = await startCluster({ dataDir, policiesAfterMs })
  try {
    const { admin } = teams
    const { id: clusterId } = await admin.good<Cluster>('/cluster/v1/clusters', {
      body: { displayName: 'Fresh', iaas: { type: 'Sandbox' }, kubeconfig: fresh.kubeconfig },
    })
    const space = await admin.good<Space>('/portal-api/v3/spaces', {
      body: { displayName: 'Fresh', clusterIds: [clusterId] },
    })
    const { kubeconfig } = await admin.good<{ kubeconfig: string }>('/cluster/v1/kubeconfigs', {
      body: { places: [{ spaceId: space.id, clusterId }] },
    })
    const config = new KubeConfig()
    config.loadFromString(kubeconfig)
    const metadata = { name: 'for-ever', annotations: { 'kubernetes.io/service-account.name': 'default' } }
    const made = config.makeApiClient(CoreV1Api).createNamespacedSecret({
      namespace: space.namespace,
      body: { metadata, type: 'kubernetes.io/service-account-token' },
    })
    await expect(made).rejects.toThrow(/Tokens without an end are not made in spaces/)
  } finally {
    await fresh.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
