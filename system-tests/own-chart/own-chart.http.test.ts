import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { AppsV1Api, CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { packChart } from '@quayside/embedded/seed/chart-package'
import { createStory, deployDataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attackedCluster } from '../security/attacked-cluster.ts'

/**
 * Deploys the portal's own chart by the portal. On a real API server:
 * `PRETEND_PODS=true ATTACK=real npm run kube-apiserver -- npx vitest run --project http system-tests/own-chart`.
 */

const chart = resolve(import.meta.dirname, '../../deploy/chart')
const planted = 'planted-key-of-the-other-portal-32'

const yaml = `replicas: 2
image:
  repository: registry.example.com/quayside
url: https://portal.example.com
keycloak:
  url: https://id.example.com
secrets:
  databaseUrl: postgresql://quayside:${planted}@database/quayside
  secretKey: ${planted}
  keycloakClientSecret: ${planted}
  adminPassword: ${planted}
`

let world: World
let admin: Story
let space: Space
let child: CatalogChild

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  admin = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  space = await admin.space('Platform', readFileSync(world.kubeconfig, 'utf8'))
  const path = `/cluster/v1/clusters/${space.clusters[0]?.id}/spaces/${space.id}`
  await admin.good(path, { method: 'PUT', body: { podSecurity: 'restricted' } })
  child = await admin.upload(await packChart(chart, 'quayside'))
})
afterAll(() => world?.close())

test('the portal deploys itself from its catalog into a restricted space, with the network policy that it brings', async () => {
  expect(child.item).toMatchObject({ displayName: 'Quayside' })
  const app = await admin.assign(space, child)
  const releaseName = await admin.releaseName(app, 'portal')
  const deployData = deployDataOf(app, space, child, yaml)
  const command = { appId: app.id, versionId: child.version.id, releaseName, deployData }
  const { status, body } = await admin.post<{ actionId: string }>('Deploy', command)
  expect(status, JSON.stringify(body)).toBe(202)
  const action = await admin.ended(body.actionId)
  expect(action.state, JSON.stringify(action)).toBe('Success')
  expect(JSON.stringify(action)).not.toContain(planted)

  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromFile(world.kubeconfig)
  const where = { namespace: app.namespace }
  const { items } = await kubeconfig.makeApiClient(AppsV1Api).listNamespacedDeployment(where)
  expect(items.map(({ status: found }) => found?.readyReplicas)).toEqual([2])
  const pods = await kubeconfig.makeApiClient(CoreV1Api).listNamespacedPod(where)
  expect(JSON.stringify(pods.items)).not.toContain(planted)
})
