import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppsV1Api, KubeConfig } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import { type Accepted, deployments, type ValidationResult } from '@quayside/contract/deployments/endpoints'
import { pathOf } from '@quayside/contract/http/path'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { createStory, deployDataOf, metadataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { findProgram, runProgram } from '@quayside/embedded-kubernetes/conformance/programs'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'quayside-hand-'))
const yaml = (replicas: number) => `replicas: ${replicas}\nimage: nginx:1.27\n`
let world: World
let admin: Story
let space: Space
let child: CatalogChild
let app: App
let releaseName: string
let apps: AppsV1Api

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 20 }, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  admin = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const sandbox = readFileSync(world.kubeconfig, 'utf8')
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(sandbox)
  apps = kubeconfig.makeApiClient(AppsV1Api)
  space = await admin.space('Hands', sandbox)
  child = await admin.uploadSmall('shop', '1.0.0')
  app = await admin.assign(space, child)
  releaseName = await admin.releaseName(app, 'shop')
  await done('Deploy', { releaseName })
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

const deployed = async () => {
  const { spec } = await apps.readNamespacedDeployment({ name: releaseName, namespace: space.namespace })
  return { replicas: spec?.replicas, image: spec?.template.spec?.containers[0]?.image }
}

/** Carries a command out and answers with what its log said. */
async function done(kind: 'Deploy' | 'Upgrade' | 'Rollback', more: object, replicas = 1): Promise<string[]> {
  const deployData = deployDataOf(app, space, child, yaml(replicas))
  const command = kind === 'Rollback' ? more : { versionId: child.version.id, deployData, ...more }
  const { body } = await admin.post<Accepted>(kind, { appId: app.id, ...command })
  expect(await admin.ended(body.actionId)).toMatchObject({ state: 'Success' })
  app = await admin.good<App>(`/portal-api/v2/apps/${app.id}`)
  const events = await admin.good<{ data: { payload: { message?: string } }[] }>(
    pathOf(deployments.actionEvents, { id: body.actionId }),
  )
  return events.data.flatMap(({ payload }) => payload.message ?? [])
}

/** Runs the stock kubectl as an operator of the cluster would. */
async function kubectl(args: string, env: Record<string, string> = {}) {
  const path = await findProgram('kubectl')
  if (!path) throw new Error('there is no kubectl here')
  const { out, err } = await runProgram(path, ['-n', space.namespace, ...args.split(' ')], {
    KUBECONFIG: world.kubeconfig,
    HOME: folder,
    PATH: process.env.PATH ?? '',
    ...env,
  })
  return out + err
}

test('an upgrade after kubectl scale succeeds, sets what the values say, and tells whose change that takes back', async () => {
  expect(await kubectl(`scale deployment/${releaseName} --replicas=4`)).toContain('scaled')
  const took = `Deployment ${releaseName}: the release takes back .spec.replicas, set by kubectl (scale)`
  const body = { appMetadata: metadataOf(app, space), yaml: yaml(2) }
  const path = pathOf(deployments.validate, { id: child.version.id })
  const checked = await admin.good<ValidationResult>(path, { method: 'PUT', body })
  expect(checked).toMatchObject({ success: true })
  expect(checked.lines).toContainEqual(expect.objectContaining({ message: took, resultType: 'info' }))
  expect(await deployed()).toMatchObject({ replicas: 4 })
  expect(await done('Upgrade', {}, 2)).toContain(took)
  expect(await deployed()).toMatchObject({ replicas: 2 })
})

test('a change that the values agree with is nobody’s loss and told nowhere', async () => {
  await kubectl(`scale deployment/${releaseName} --replicas=3`)
  const log = await done('Upgrade', {}, 3)
  expect(log.filter((line) => line.includes('takes back'))).toEqual([])
  expect(await deployed()).toMatchObject({ replicas: 3 })
})

test('a rollback after kubectl edit brings back what the revision had', async () => {
  const editor = 'sed -i s/nginx:1.27/nginx:1.30/'
  expect(await kubectl(`edit deployment/${releaseName}`, { KUBE_EDITOR: editor })).toContain('edited')
  expect(await deployed()).toEqual({ replicas: 3, image: 'nginx:1.30' })
  const log = await done('Rollback', { revision: 1 })
  const told = log.find((line) => line.includes('takes back'))
  expect(told).toContain(`Deployment ${releaseName}: the release takes back `)
  expect(told).toContain('.spec.replicas, set by kubectl (scale)')
  expect(told).toMatch(/containers\[name="web"\]\.image, set by kubectl-edit/)
  expect(await deployed()).toEqual({ replicas: 1, image: 'nginx:1.27' })
})
