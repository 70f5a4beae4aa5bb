import type { App } from '@quayside/contract/apps/endpoints'
import type { Action, Revision, ValidationResult } from '@quayside/contract/deployments/endpoints'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { packFiles } from '@quayside/embedded/seed/chart-package'
import { createStory, deployDataOf, metadataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

let world: World
let teams: Teams
let mine: Team
let app: App
/** The account whose charts the cluster trusts; another one uploads the rest. */
let publisher: Story
/** The action that deployed the chart of a publisher whom the cluster trusts. */
let trusted: Action

const configMap = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`
const storageClass = `---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: forged }
provisioner: example.org/disk
`
const actions = '/deployment/v1/helm/deployment/actions'

async function deployOf(by: Story, name: string, objects: string): Promise<Action> {
  const child = await by.upload(
    await packFiles(name, {
      'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\nannotations: { quayside.io/manufacturer: Trusted }\n`,
      'templates/objects.yaml': objects,
    }),
  )
  const made = await mine.story.assign(mine.space, child)
  const { actionId } = await mine.story.good<{ actionId: string }>(`${actions}.Deploy`, {
    body: {
      appId: made.id,
      versionId: child.version.id,
      releaseName: await mine.story.releaseName(made, name),
      deployData: deployDataOf(made, mine.space, child, ''),
    },
  })
  return mine.story.ended(actionId)
}

const deployOfTrusted = () => deployOf(publisher, 'ours', configMap('ours'))

/** Says in the label of a revision that another action has made it, as whoever may write Secrets of the space can. */
async function sayMadeBy(revision: number, actionId: string): Promise<void> {
  const { core } = teams.clients
  const place = { namespace: app.namespace, name: `sh.helm.release.v1.${app.releaseName}.v${revision}` }
  const secret = await core.readNamespacedSecret(place)
  const labels = { ...secret.metadata?.labels, portalAction: actionId }
  await core.replaceNamespacedSecret({ ...place, body: { ...secret, metadata: { ...secret.metadata, labels } } })
}

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 } })
  teams = await teamsOn(world)
  mine = await teams.team()
  publisher = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  trusted = await deployOfTrusted()
  const { username } = await publisher.good<{ username: string }>('/iam/v2/account')
  const rule = { group: 'storage.k8s.io', kind: 'StorageClass', publisher: username }
  await teams.admin.good(`/cluster/v1/clusters/${teams.cluster.id}/rules`, { body: rule })
  expect(trusted.state).toBe('Success')
  const made = await teams.assign(mine)
  for (const name of ['one', 'two']) {
    app = await mine.story.good<App>(`/portal-api/v2/apps/${made.id}`)
    expect(await teams.deploy(mine, mine.story, app, configMap(name))).toMatchObject({ action: { state: 'Success' } })
  }
  app = await mine.story.good<App>(`/portal-api/v2/apps/${made.id}`)
})
afterAll(() => world?.close())

const classCalled = (name: string) => storageClass.replace('forged', name)

it('an entry of the list by publisher lets be what that account has uploaded, and not what another says to be of it', async () => {
  expect((await deployOf(publisher, 'genuine', classCalled('genuine'))).state).toBe('Success')
  const posing = await deployOf(teams.admin, 'posing', classCalled('posing'))
  expect([posing.state, posing.result?.summary]).toEqual([
    'Failed',
    expect.stringContaining('StorageClass posing is outside of the space and not on the list of the cluster'),
  ])
})

it('another version of the same item counts as of whoever has uploaded it', async () => {
  const version = '2.0.0'
  const child = await teams.admin.upload(
    await packFiles('genuine', {
      'Chart.yaml': `apiVersion: v2\nname: genuine\nversion: ${version}\n`,
      'templates/objects.yaml': classCalled('other'),
    }),
  )
  const made = await mine.story.assign(mine.space, child)
  const found = await mine.story.good<ValidationResult>(`/deployment/v1/helm/deployment/validate/${child.version.id}`, {
    method: 'PUT',
    body: { appMetadata: metadataOf(made, mine.space), yaml: '# nothing' },
  })
  expect(found.outside?.needs).toMatchObject([{ name: 'other', verdict: 'ask' }])
})

it('nobody becomes the publisher by a password, an address or a link who could not trust charts themselves', async () => {
  const publishes = { 'quayside-portal-ui-catalog-apps': ['access', 'catalog.view', 'catalog.publish'] }
  const person = await world.personWith({ clientRoles: publishes })
  const uploading = createStory(world, (await signInAsPerson(world, person)).access_token)
  const { userId: id } = uploading
  await uploading.uploadSmall('trusted-later', '1.0.0')
  const clientRoles = {
    ...publishes,
    'quayside-portal-ui-iam-users': ['users.view', 'users.edit', 'users.credentials.manage'],
    'quayside-portal-ui-spaces': ['spaces.manage'],
  }
  const helpDesk = createStory(world, await world.tokenFor({ clientRoles }))
  const edits = { 'quayside-portal-ui-clusters': ['clusters.view', 'clusters.edit'] }
  const editor = createStory(world, await world.tokenFor({ clientRoles: { ...clientRoles, ...edits } }))
  let times = 0
  const tries = async (by: Story) => {
    times += 1
    const password = { value: 'Attack-pass-4711', temporary: false }
    return [
      await by.call(`/iam/v2/users/${id}/reset-password`, { method: 'PUT', body: password }),
      await by.call(`/iam/v2/users/${id}`, { method: 'PUT', body: { email: `taken-${times}@evil.example` } }),
      await by.call(`/iam/v3/users/${id}/action-link`, { body: { actions: ['UPDATE_PASSWORD'], hours: 1 } }),
    ]
  }
  for (const { status } of await tries(helpDesk)) expect(status).toBeLessThan(300)
  const body = { group: 'storage.k8s.io', kind: 'StorageClass', publisher: person.username }
  await teams.admin.good(`/cluster/v1/clusters/${teams.cluster.id}/rules`, { body })
  for (const answer of await tries(helpDesk))
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'iam.person-above', details: { role: 'quayside-portal-ui-clusters:clusters.edit' } },
    })
  for (const { status } of await tries(editor)) expect(status).toBeLessThan(300)
})

it('an account that has uploaded nothing is no publisher', async () => {
  const body = { group: 'storage.k8s.io', kind: 'StorageClass', publisher: 'Trusted' }
  expect(await teams.admin.call(`/cluster/v1/clusters/${teams.cluster.id}/rules`, { body })).toMatchObject({
    status: 404,
    body: { code: 'catalog.publisher-not-found', field: 'publisher' },
  })
})

it('a rollback to what another publisher is said to have made is judged as what the app is', async () => {
  await teams.storeAnew(app, (release) => ({ ...release, manifest: release.manifest + storageClass }), 1)
  await sayMadeBy(1, trusted.id)
  const action = await teams.act('Rollback', { appId: app.id, revision: 1 }, mine.story)
  expect(action.state).toBe('Failed')
  expect(JSON.stringify(action.result)).toContain('not on the list of the cluster')
  const now = await mine.story.good<App>(`/portal-api/v2/apps/${app.id}`)
  expect(now.catalogVersionId).toBe(app.catalogVersionId)
})

it('a revision does not tell who has started an action of another team', async () => {
  const other = await teams.team()
  const foreign = await teams.deploy(other, other.story, await teams.assign(other), configMap('theirs'))
  await sayMadeBy(1, foreign.action?.id ?? '')
  const { data } = await mine.story.good<{ data: Revision[] }>(`/deployment/v1/helm/deployment/revisions/${app.id}`)
  expect(data.find(({ revision }) => revision === 1)).toMatchObject({ startedBy: null })
})
