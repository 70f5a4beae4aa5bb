import type { App } from '@quayside/contract/apps/endpoints'
import type { Action } from '@quayside/contract/deployments/endpoints'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'
import { bound, everything, late, neverReady, readsNodes, role } from './charts-that-reach-out.ts'

let world: World
let teams: Teams
let core: Teams['clients']['core']
let rbac: Teams['clients']['rbac']

beforeAll(async () => {
  world = await World.start({
    cluster: attackedCluster,
    env: {
      QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: '20',
      QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true',
    },
  })
  teams = await teamsOn(world)
  ;({ core, rbac } = teams.clients)
})
afterAll(() => world?.close())

const hooksLeftOut =
  'Hooks are left out: those for a deletion would make objects outside of the space, and a deletion makes none there'
const onDelete = ', annotations: {helm.sh/hook: pre-delete}'

const verbsOf = (name: string) =>
  rbac.readClusterRole({ name }).then(
    ({ rules }) => rules?.flatMap(({ verbs }) => verbs),
    () => 'none',
  )

async function approved(by: Team, objects: string, app?: App): Promise<App> {
  const of = app ?? (await teams.assign(by))
  await teams.approve(by, of, objects)
  return of
}

async function deployed(by: Team, objects: string, app?: App): Promise<App> {
  const of = await approved(by, objects, app)
  const { action } = await teams.deploy(by, by.story, of, objects)
  expect(JSON.stringify(action)).toContain('"state":"Success"')
  return teams.admin.good<App>(`/portal-api/v2/apps/${of.id}`)
}

async function saidBy({ id }: Pick<Action, 'id'>): Promise<string> {
  return JSON.stringify(await teams.admin.good(`/deployment/v1/actions/${id}/events`))
}

describe('rights that one action was given outside of its space', () => {
  test('serve no other action of the space at the same time', async () => {
    const by = await teams.team()
    const other = await teams.assign(by)
    const hidden = await teams.deploy(by, by.story, other, late(role('shared', everything, onDelete)))
    expect(hidden.action).toMatchObject({ state: 'Success' })
    const objects = role('shared', readsNodes) + bound('shared') + neverReady
    const app = await approved(by, objects)
    const running = teams.deploy(by, by.story, app, objects)
    await expect.poll(() => verbsOf('shared'), { timeout: 20_000 }).toEqual(['get', 'list'])
    const deletion = await teams.act('Delete', { app: { id: other.id } }, by.story)
    expect(deletion.state).toBe('Success')
    expect(await saidBy(deletion)).toContain(hooksLeftOut)
    expect(await verbsOf('shared')).toEqual(['get', 'list'])
    await running
    const { namespace } = by.space
    const accounts = (await core.listNamespacedServiceAccount({ namespace: 'quayside-system' })).items
    expect(accounts.filter(({ metadata }) => metadata?.name?.startsWith(`space-${by.space.id}-`))).toEqual([])
    const bindings = (await rbac.listNamespacedRoleBinding({ namespace })).items
    expect(bindings.map(({ metadata }) => metadata?.name)).not.toContainEqual(expect.stringMatching(/^quayside:action/))
  })
})

describe('hooks of a deletion that somebody has written into the release', () => {
  test('make no role of the cluster, also under a name that the release has', async () => {
    const by = await teams.team()
    const app = await deployed(by, role('stored', readsNodes) + bound('stored'))
    const hook = { name: 'stored', kind: 'ClusterRole', path: 'x', events: ['pre-delete'], weight: 0, last_run: {} }
    const manifest = role('stored', everything, onDelete)
    await teams.storeAnew(app, (release) => ({ ...release, hooks: [{ ...hook, manifest }] }))
    const deletion = await teams.act('Delete', { app: { id: app.id } }, by.story)
    expect(deletion.state).toBe('Success')
    expect(await saidBy(deletion)).toContain(hooksLeftOut)
    expect(await verbsOf('stored')).toBe('none')
  })
})

describe('a rollback to an object that was approved with one content', () => {
  test('is refused, because others could write it anew after it was judged', async () => {
    const hooks = (resource: string) => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: narrow}
webhooks:
  - name: narrow.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Ignore
    clientConfig: {url: "https://192.0.2.1/"}
    rules: [{apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [${resource}]}]
`
    const by = await teams.team()
    const first = await deployed(by, hooks('ones'))
    const app = await deployed(by, hooks('others'), first)
    const rollback = await teams.act('Rollback', { appId: app.id, revision: 1, baseRevision: app.revision })
    expect([rollback.state, JSON.stringify(rollback)]).toEqual([
      'Failed',
      expect.stringContaining('Upgrade to the version'),
    ])
    const { webhooks } = await teams.clients.admission.readValidatingWebhookConfiguration({ name: 'narrow' })
    expect(webhooks?.[0]?.rules?.[0]?.resources).toEqual(['others'])
  })
})
