import { readFileSync } from 'node:fs'
import { ApiextensionsV1Api, CoreV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { Leftover, LeftoverChoice } from '@quayside/contract/clusters/leftovers'
import { type Accepted, deployments } from '@quayside/contract/deployments/endpoints'
import { pathOf } from '@quayside/contract/http/path'
import { type MenuGroup, sidebar } from '@quayside/contract/sidebar/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { createStory, deployDataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: keeper\nversion: 1.0.0\nannotations: { quayside.io/resource-roles: viewer }\n',
  'templates/store.yaml': `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: "{{ .Release.Name }}-store" }
spec:
  replicas: 1
  serviceName: store
  selector: { matchLabels: { app: "{{ .Release.Name }}-store" } }
  template:
    metadata: { labels: { app: "{{ .Release.Name }}-store" } }
    spec:
      containers:
        - name: store
          image: nginx:1.27
          volumeMounts: [{ name: data, mountPath: /data }]
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`,
  'templates/login.yaml': `apiVersion: v1
kind: Secret
metadata:
  name: "{{ .Release.Name }}-login"
  annotations: { helm.sh/resource-policy: keep }
stringData: { word: secret }
`,
  'templates/hook.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: "{{ .Release.Name }}-made"
  annotations: { helm.sh/hook: pre-install }
`,
  'crds/ships.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ships.harbour.example.org }
spec:
  group: harbour.example.org
  names: { kind: Ship, plural: ships, singular: ship, listKind: ShipList }
  scope: Namespaced
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
`,
}
const definition = 'CustomResourceDefinition//ships.harbour.example.org'

let world: World
let admin: Story
let space: Space
let child: CatalogChild
let core: CoreV1Api
let extensions: ApiextensionsV1Api
let objects: CustomObjectsApi
let groupId: string

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 }, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  admin = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const sandbox = readFileSync(world.kubeconfig, 'utf8')
  space = await admin.space('Leftovers', sandbox)
  child = await admin.uploadSmall('keeper', '1.0.0', files)
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(sandbox)
  core = kubeconfig.makeApiClient(CoreV1Api)
  extensions = kubeconfig.makeApiClient(ApiextensionsV1Api)
  const directory = await world.directory()
  await directory.post('/groups', { name: 'Keepers' })
  groupId = (await directory.get<{ id: string }[]>('/groups?search=Keepers'))[0]?.id ?? ''
  objects = kubeconfig.makeApiClient(CustomObjectsApi)
  // Only there may a chart bring definitions along.
  await admin.good(`/cluster/v1/clusters/${space.clusters[0]?.id}`, { method: 'PUT', body: { clusterScoped: true } })
})
afterAll(() => world?.close())

async function installed(): Promise<{ app: App; releaseName: string }> {
  const app = await admin.assign(space, child)
  const releaseName = await admin.releaseName(app, 'keeper')
  const [role] = app.resourceRoles
  const groups = [{ id: groupId, name: 'Keepers', resourceRoles: role ? [role] : [] }]
  const deployData = { ...deployDataOf(app, space, child, 'replicas: 1\n'), groups }
  const { body } = await admin.post<Accepted>('Deploy', {
    appId: app.id,
    versionId: child.version.id,
    releaseName,
    deployData,
  })
  expect(await admin.ended(body.actionId)).toMatchObject({ state: 'Success', result: { state: 0 } })
  return { app, releaseName }
}

const listed = async (app: App) =>
  (await admin.good<{ data: Leftover[] }>(pathOf(deployments.leftovers, { id: app.id }))).data

async function remove(app: App, leftovers?: LeftoverChoice[]) {
  const { body, status } = await admin.post<Accepted>('Delete', { app: { id: app.id }, leftovers })
  expect(status).toBe(202)
  const action = await admin.ended(body.actionId)
  const { data } = await admin.good<{ data: { payload: { message?: string } }[] }>(
    pathOf(deployments.actionEvents, { id: action.id }),
  )
  return { action, log: data.map(({ payload }) => payload.message ?? '').join('\n') }
}

/** Pins the app to a side bar of this person; what it says of its pins later on. */
async function pinned(app: App, person: Story) {
  const group = await person.good<MenuGroup>(pathOf(sidebar.addMenuGroup), { body: { title: app.id } })
  const body = { name: app.displayName, icon: 'apps', type: 'apps', selectedEntryId: app.id }
  await person.good(pathOf(sidebar.addMenuEntry, { gid: group.id }), { body })
  return async () => {
    const { data } = await person.good<{ data: MenuGroup[] }>(pathOf(sidebar.getMenu))
    return data.find(({ id }) => id === group.id)?.entries.map(({ state }) => state)
  }
}

const namesIn = async (list: Promise<{ items: { metadata?: { name?: string } }[] }>) =>
  (await list).items.map(({ metadata }) => metadata?.name)
const claims = () => namesIn(core.listNamespacedPersistentVolumeClaim({ namespace: space.namespace }))
const secrets = () => namesIn(core.listNamespacedSecret({ namespace: space.namespace }))
const maps = () => namesIn(core.listNamespacedConfigMap({ namespace: space.namespace }))

describe('who may', () => {
  test('a token, then the role, then an app of one’s own tenant', async () => {
    const path = pathOf(deployments.leftovers, { id: 'nobody' })
    expect((await world.api(path)).status).toBe(401)
    const viewer = await world.tokenFor({ realmRoles: ['quayside-viewer'] })
    const app = await admin.assign(space, child)
    const real = pathOf(deployments.leftovers, { id: app.id })
    expect((await world.api(real, { token: viewer })).status).toBe(403)
    expect((await world.api(real, { token: await world.tokenFor() })).status).toBe(404)
    expect((await admin.call(path)).status).toBe(404)
  })
})

describe('what a deletion leaves', () => {
  test('is listed, stays when nothing is said, and the log says so', async () => {
    const { app, releaseName } = await installed()
    const viewer = createStory(world, await world.tokenFor({ realmRoles: ['quayside-viewer'] }))
    const pins = [await pinned(app, admin), await pinned(app, viewer)]
    const found = await listed(app)
    expect(found.map(({ kind, name, byDefault }) => [kind, name, byDefault])).toEqual([
      ['Secret', `${releaseName}-login`, 'keep'],
      ['PersistentVolumeClaim', `data-${releaseName}-store-0`, 'keep'],
      ['ConfigMap', `${releaseName}-made`, 'keep'],
      ['CustomResourceDefinition', 'ships.harbour.example.org', 'keep'],
      ['Grants', 'Keepers', 'remove'],
      ['Redirect URIs', `${world.url}/en/apps/${app.id}`, 'remove'],
      ['Pins', app.displayName, 'remove'],
    ])
    expect(found.at(-1)?.detail).toBe('2 pins of 2 people')
    expect(found[1]?.detail).toContain('1Gi')
    expect(found.map(({ refusal }) => refusal)).toEqual(found.map(() => null))
    const roles = ['access', 'catalog.deployments.view', 'catalog.deployments.manage']
    const token = await world.tokenFor({ clientRoles: { 'quayside-portal-ui-catalog-apps': roles } })
    const theirs = await createStory(world, token).good<{ data: Leftover[] }>(
      pathOf(deployments.leftovers, { id: app.id }),
    )
    expect(theirs.data.find(({ id }) => id === definition)?.refusal).toContain('only who may edit clusters')

    const { action, log } = await remove(app)
    expect(action.state).toBe('Success')
    expect(log).toContain(`PersistentVolumeClaim data-${releaseName}-store-0 (1Gi`)
    expect(log).toMatch(/Secret \S+-login is kept: The chart marks it to be kept/)
    expect(log).toContain('Roles and redirect URIs are removed')
    expect(log).toContain('Pins of the app in side bars go with it: 2')
    for (const left of pins) expect(await left()).toEqual([])
    expect(await claims()).toContain(`data-${releaseName}-store-0`)
    expect(await secrets()).toContain(`${releaseName}-login`)
    expect(await maps()).toContain(`${releaseName}-made`)
  })

  test('goes when somebody wants it to; access and pins stay when somebody wants them to', async () => {
    const { app, releaseName } = await installed()
    const left = await pinned(app, admin)
    expect(await left()).toEqual(['open'])
    const leftovers = (await listed(app))
      .filter(({ what, id }) => what === 'object' && id !== definition)
      .map(({ id }) => ({ id, choice: 'remove' as const }))
    expect(leftovers).toHaveLength(3)
    const { action, log } = await remove(app, [
      ...leftovers,
      { id: 'redirect-uris', choice: 'keep' },
      { id: 'pins', choice: 'keep' },
    ])
    expect(action.state).toBe('Success')
    expect(log).toContain(`Secret ${releaseName}-login is removed`)
    expect(await left()).toEqual(['gone'])
    expect(log).toMatch(/PersistentVolumeClaim data-\S+-store-0 \(1Gi[^)]*\) is (being )?removed/)
    expect(log).toContain(`Redirect URIs are kept as client quayside-app-${app.id}`)
    await expect.poll(claims).not.toContain(`data-${releaseName}-store-0`)
    expect(await secrets()).not.toContain(`${releaseName}-login`)
    expect(await maps()).not.toContain(`${releaseName}-made`)
    const directory = await world.directory()
    const found = `/clients?clientId=quayside-app-${app.id}`
    const [client] = await directory.get<{ redirectUris: string[] }[]>(found)
    expect(client?.redirectUris).toEqual([`${world.url}/en/apps/${app.id}`])
  })

  test('what may not be removed, or is not there, refuses the whole deletion before it begins', async () => {
    const { app } = await installed()
    const ship = { apiVersion: 'harbour.example.org/v1', kind: 'Ship', metadata: { name: 'tug' } }
    const where = { group: 'harbour.example.org', version: 'v1', namespace: 'default', plural: 'ships' }
    await objects.createNamespacedCustomObject({ ...where, body: ship })
    expect((await listed(app)).find(({ id }) => id === definition)?.refusal).toContain('One object of this kind')
    const wide = { app: { id: app.id }, leftovers: [{ id: definition, choice: 'remove' }] }
    expect(await admin.post('Delete', wide)).toMatchObject({
      status: 409,
      body: { code: 'deployment.leftover-stays', field: 'leftovers.0.id' },
    })
    const foreign = { app: { id: app.id }, leftovers: [{ id: 'Secret/kube-system/x', choice: 'remove' }] }
    expect(await admin.post('Delete', foreign)).toMatchObject({ status: 400, body: { field: 'leftovers.0.id' } })
    expect((await admin.call(`/portal-api/v2/apps/${app.id}`)).status).toBe(200)

    await objects.deleteNamespacedCustomObject({ ...where, name: 'tug' })
    const { action, log } = await remove(app, [{ id: definition, choice: 'remove' }])
    expect(action.state).toBe('Success')
    expect(log).toContain('CustomResourceDefinition ships.harbour.example.org is removed')
    expect(await namesIn(extensions.listCustomResourceDefinition())).not.toContain('ships.harbour.example.org')
  })
})

describe('how many people a grant reaches', () => {
  test('who is in a group or below it counts once', async () => {
    const path = '/iam/v2/groups/people'
    expect((await world.api(path, { body: { ids: [] } })).status).toBe(401)
    const viewer = await world.tokenFor({ realmRoles: ['quayside-viewer'] })
    const directory = await world.directory()
    await directory.post(`/groups/${groupId}/children`, { name: 'Night watch' })
    const [below] = await directory.get<{ id: string }[]>(`/groups/${groupId}/children`)
    for (const username of ['one', 'two']) await directory.post('/users', { username, enabled: true })
    const users = await directory.get<{ id: string; username: string }[]>('/users')
    const idOf = (name: string) => users.find(({ username }) => username === name)?.id
    await directory.put(`/users/${idOf('one')}/groups/${groupId}`)
    await directory.put(`/users/${idOf('one')}/groups/${below?.id}`)
    await directory.put(`/users/${idOf('two')}/groups/${below?.id}`)
    const count = (ids: (string | undefined)[]) => admin.good(path, { body: { ids } })
    expect(await count([groupId])).toEqual({ people: 2 })
    expect(await count([groupId, below?.id])).toEqual({ people: 2 })
    expect(await count([])).toEqual({ people: 0 })
    expect((await world.api(path, { token: viewer, body: { ids: 'x' } })).status).toBeOneOf([400, 403])
  })
})

describe('a release that somebody has deleted behind the portal', () => {
  test.each(['its Secrets are gone', 'its Secret is damaged'])(
    '%s: what runs of it goes with the app',
    async (what) => {
      const { app, releaseName } = await installed()
      const name = `sh.helm.release.v1.${releaseName}.v1`
      const { namespace } = space
      if (what.endsWith('gone')) await core.deleteNamespacedSecret({ namespace, name })
      else {
        const secret = await core.readNamespacedSecret({ namespace, name })
        await core.replaceNamespacedSecret({ namespace, name, body: { ...secret, data: { release: 'aGVsbG8=' } } })
      }
      expect((await listed(app)).filter(({ byDefault }) => byDefault === 'remove')).toContainEqual(
        expect.objectContaining({ kind: 'StatefulSet', name: `${releaseName}-store`, refusal: null }),
      )
      const { action, log } = await remove(app)
      expect(action.state).toBe('Success')
      expect(log).toContain(`StatefulSet ${releaseName}-store is removed`)
      expect(await secrets()).not.toContain(name)
      expect(await secrets()).toContain(`${releaseName}-login`)
    },
  )
})
