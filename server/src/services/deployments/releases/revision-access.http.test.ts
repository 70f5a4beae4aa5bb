import { readFileSync } from 'node:fs'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { Accepted, ActionKind } from '@quayside/contract/deployments/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { callsOf } from '@quayside/embedded/portal-calls'
import { createStory, deployDataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'

const chart = (version: string) => ({
  'Chart.yaml': `apiVersion: v2
name: till
version: ${version}
annotations: { quayside.io/resource-roles: 'reader, keeper' }
`,
})
let world: World
let story: Story
let space: Space
let older: CatalogChild
let newer: CatalogChild

beforeAll(async () => {
  world = await World.start({
    cluster: { speed: 20 },
    env: { LOG_LEVEL: 'error', QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: '5' },
  })
  story = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  space = await story.space('Revisions', readFileSync(world.kubeconfig, 'utf8'))
  older = await story.uploadSmall('till', '1.0.0', chart('1.0.0'))
  newer = await story.uploadSmall('till', '1.1.0', chart('1.1.0'))
})
afterAll(() => world?.close())

type Grants = Record<string, string[]>

/** Roles of the app by the groups that hold them in the identity server; undefined once the app has no client. */
async function grantsOf(app: App): Promise<Grants | undefined> {
  const directory = await world.directory()
  const [client] = await directory.get<{ id: string }[]>(`/clients?clientId=quayside-app-${app.id}`)
  if (!client) return undefined
  const groups = await directory.get<{ id: string; name: string }[]>('/groups?max=1000')
  const held = await Promise.all(
    groups.map(async ({ id, name }) => {
      const path = `/groups/${id}/role-mappings/clients/${client.id}`
      const roles = await directory.get<{ name: string }[]>(path)
      return [name, roles.map((role) => role.name).sort()] as const
    }),
  )
  return Object.fromEntries(held.filter(([, roles]) => roles.length > 0))
}

const groupsOf = (grants: Grants) =>
  Object.entries(grants).map(([name, roles]) => ({ name, resourceRoles: roles.map((role) => ({ name: role })) }))

async function act(kind: ActionKind, body: unknown): Promise<string> {
  const sent = await story.post<Accepted>(kind, body)
  expect(sent.status, JSON.stringify(sent.body)).toBeLessThan(300)
  return (await story.ended(sent.body.actionId)).state
}

async function deployed(name: string, grants: Grants, yaml = 'replicas: 1\nimage: nginx:1.27\n') {
  const app = await story.assign(space, older)
  const releaseName = await story.releaseName(app, name)
  const deployData = { ...deployDataOf(app, space, older, yaml), groups: groupsOf(grants) }
  const state = await act('Deploy', { appId: app.id, versionId: older.version.id, releaseName, deployData })
  return { app, state }
}

function upgraded(app: App, grants: Grants, image = 'nginx:1.28') {
  const deployData = deployDataOf(app, space, newer, `replicas: 1\nimage: ${image}\n`)
  return act('Upgrade', {
    appId: app.id,
    versionId: newer.version.id,
    deployData: { ...deployData, groups: groupsOf(grants) },
  })
}

test('each revision keeps whom it lets in: an upgrade says anew, a rollback brings back, a deletion ends it', async () => {
  const first = { Cashiers: ['keeper', 'reader'] }
  const second = { Cashiers: ['reader'], Auditors: ['reader'] }
  const { app, state } = await deployed('till', first)
  expect([state, await grantsOf(app)]).toEqual(['Success', first])

  expect([await upgraded(app, second), await grantsOf(app)]).toEqual(['Success', second])
  // Nobody was named: whoever may enter still may.
  expect([await upgraded(app, {}, 'nginx:1.29'), await grantsOf(app)]).toEqual(['Success', second])

  expect([await act('Rollback', { appId: app.id, revision: 1 }), await grantsOf(app)]).toEqual(['Success', first])
  expect([await act('Rollback', { appId: app.id, revision: 3 }), await grantsOf(app)]).toEqual(['Success', second])

  expect([await act('Delete', { app: { id: app.id } }), await grantsOf(app)]).toEqual(['Success', undefined])
  const directory = await world.directory()
  const left = await directory.get<{ name: string }[]>('/groups?max=1000')
  expect(left.map(({ name }) => name)).not.toEqual(expect.arrayContaining(['Auditors']))
}, 90_000)

test('what a failed installation or upgrade had granted is taken back', async () => {
  const grants = { Packers: ['keeper'] }
  const failed = await deployed('broken', grants, 'replicas: 1\nimage: unpullable:1\n')
  expect([failed.state, await grantsOf(failed.app)]).toEqual(['Failed', undefined])

  const { app } = await deployed('sound', grants)
  expect([await upgraded(app, { Drivers: ['reader'] }, 'unpullable:2'), await grantsOf(app)]).toEqual([
    'Failed',
    grants,
  ])
  const directory = await world.directory()
  const groups = await directory.get<{ name: string }[]>('/groups?max=1000')
  expect(groups.map(({ name }) => name)).toContain('Packers')
  expect(groups.map(({ name }) => name)).not.toContain('Drivers')
}, 90_000)

test('roles that a newer version brings can be given from its upgrade on; those that it drops stay with who holds them', async () => {
  const files = (version: string, roles: string) => ({
    'Chart.yaml': chart(version)['Chart.yaml'].replace('till', 'rack').replace('reader, keeper', roles),
  })
  const before = await story.uploadSmall('rack', '1.0.0', files('1.0.0', 'reader, keeper'))
  const after = await story.uploadSmall('rack', '1.1.0', files('1.1.0', 'reader, auditor'))
  const app = await story.assign(space, before)
  const actOn = async (kind: 'Deploy' | 'Upgrade', to: CatalogChild, grants: Grants) => {
    const releaseName = kind === 'Deploy' ? { releaseName: await story.releaseName(app, 'rack') } : {}
    const deployData = { ...deployDataOf(app, space, to, 'replicas: 1\nimage: nginx:1.27\n'), groups: groupsOf(grants) }
    return act(kind, { appId: app.id, versionId: to.version.id, ...releaseName, deployData })
  }
  const rolesOf = async () => {
    const directory = await world.directory()
    const [client] = await directory.get<{ id: string }[]>(`/clients?clientId=quayside-app-${app.id}`)
    const roles = await directory.get<{ name: string }[]>(`/clients/${client?.id}/roles`)
    const { resourceRoles } = await story.good<App>(`/portal-api/v2/apps/${app.id}`)
    const names = (all: { name: string }[]) => all.map(({ name }) => name).sort()
    expect(names(resourceRoles)).toEqual(names(roles))
    return names(roles)
  }
  const held = { Stackers: ['keeper'] }
  expect([await actOn('Deploy', before, held), await rolesOf()]).toEqual(['Success', ['keeper', 'reader']])
  expect([await actOn('Upgrade', after, {}), await rolesOf()]).toEqual(['Success', ['auditor', 'keeper', 'reader']])
  expect(await grantsOf(app)).toEqual(held)
  const next = { Stackers: ['auditor', 'keeper'] }
  expect([await actOn('Upgrade', after, next), await grantsOf(app)]).toEqual(['Success', next])
}, 90_000)

test('a personal token deploys, upgrades and rolls back, and never changes which groups may use an app', async () => {
  const person = await world.personWith({ realmRoles: ['quayside-admin'] })
  const session = (await signInAsPerson(world, person)).access_token
  const made = { body: { name: 'Robot', days: 1 } }
  const { secret } = await callsOf(world, session).good<{ secret: string }>('/iam/v3/account/tokens', made)
  const script = callsOf(world, secret)
  const post = <T>(kind: ActionKind, body: unknown) =>
    script.call<T>(`/deployment/v1/helm/deployment/actions.${kind}`, { body })
  const limits = (field?: string) => ({ status: 403, body: { code: 'auth.token-limits', ...(field ? { field } : {}) } })
  const first = { Bakers: ['keeper'] }
  const groups = groupsOf(first)
  const versionId = older.version.id

  const fresh = await story.assign(space, older)
  const releaseName = await story.releaseName(fresh, 'token')
  const deployData = deployDataOf(fresh, space, older, 'replicas: 1\nimage: unpullable:1\n')
  const deploy = { appId: fresh.id, versionId, releaseName, deployData: { ...deployData, groups } }
  expect(await post('Deploy', deploy)).toMatchObject(limits('deployData.groups'))
  const failed = await story.post<Accepted>('Deploy', deploy)
  expect((await story.ended(failed.body.actionId)).state).toBe('Failed')
  const retry = `/deployment/v1/actions/${failed.body.actionId}/retry`
  expect(await script.call(retry, { method: 'POST' })).toMatchObject(limits())
  expect(await grantsOf(fresh)).toBeUndefined()

  const { app } = await deployed('tokens', first)
  const upgrade = (chosen: Grants) => ({
    appId: app.id,
    versionId: newer.version.id,
    deployData: {
      ...deployDataOf(app, space, newer, 'replicas: 1\nimage: nginx:1.28\n'),
      groups: groupsOf(chosen),
    },
  })
  expect(await post('Upgrade', upgrade({ Bakers: ['reader'] }))).toMatchObject(limits('deployData.groups'))
  const act = async (kind: ActionKind, body: unknown) => {
    const sent = await post<Accepted>(kind, body)
    expect(sent.status, JSON.stringify(sent.body)).toBe(202)
    return (await story.ended(sent.body.actionId)).state
  }
  expect([await act('Upgrade', upgrade({})), await grantsOf(app)]).toEqual(['Success', first])
  expect([await act('Rollback', { appId: app.id, revision: 1 }), await grantsOf(app)]).toEqual(['Success', first])
  const second = { Bakers: ['reader'] }
  expect([await upgraded(app, second), await grantsOf(app)]).toEqual(['Success', second])
  const back = await post('Rollback', { appId: app.id, revision: 1 })
  expect(back).toMatchObject(limits('revision'))
  expect(await grantsOf(app)).toEqual(second)
}, 120_000)

test('a group that is gone by the time of a rollback is left out and said', async () => {
  const directory = await world.directory()
  const { app } = await deployed('gone', { Pickers: ['reader'] })
  const [group] = await directory.get<{ id: string }[]>('/groups?search=Pickers&exact=true')
  const named = [{ id: group?.id, name: 'Pickers', resourceRoles: [{ name: 'keeper' }] }]
  const body = { appId: app.id, versionId: newer.version.id }
  const deployData = deployDataOf(app, space, newer, 'replicas: 1\nimage: nginx:1.28\n')
  expect(await act('Upgrade', { ...body, deployData: { ...deployData, groups: named } })).toBe('Success')
  expect(await upgraded(app, { Loaders: ['reader'] })).toBe('Success')
  expect(await grantsOf(app)).toEqual({ Loaders: ['reader'] })

  const sent = await story.post<Accepted>('Rollback', { appId: app.id, revision: 2 })
  expect((await story.ended(sent.body.actionId)).state).toBe('Success')
  const events = await story.good<{ data: { payload: { message?: string } }[] }>(
    `/deployment/v1/actions/${sent.body.actionId}/events`,
  )
  const lines = events.data.map(({ payload }) => payload.message)
  expect(lines).toContain('The group Pickers does not exist any more')
  expect(await grantsOf(app)).toEqual({})
}, 90_000)

test('the catalog counts what may have written something, not what was only assigned or failed before', async () => {
  const rare = await story.uploadSmall('rare', '1.0.0', {
    'Chart.yaml': chart('1.0.0')['Chart.yaml'].replace('till', 'rare'),
  })
  const path = `/catalog/v2/items/${rare.item.id}`
  const counted = async () => (await story.good<{ deployedCount: number }>(path)).deployedCount
  const app = await story.assign(space, rare)
  await story.assign(space, rare)
  expect(await counted()).toBe(0)

  const deploy = async (image: string, groups: unknown[]) =>
    act('Deploy', {
      appId: app.id,
      versionId: rare.version.id,
      releaseName: await story.releaseName(app, 'rare'),
      deployData: { ...deployDataOf(app, space, rare, `replicas: 1\nimage: ${image}\n`), groups },
    })
  const nobody = { id: '11111111-1111-1111-1111-111111111111', name: 'Nobody', resourceRoles: [{ name: 'reader' }] }
  expect([await deploy('nginx:1.27', [nobody]), await counted()]).toEqual(['Failed', 0])
  expect([await deploy('unpullable:1', []), await counted()]).toEqual(['Failed', 1])
  expect(await story.call(path, { method: 'DELETE' })).toMatchObject({
    status: 409,
    body: { code: 'catalog.in-use', details: { apps: 1 } },
  })
  expect([await act('Delete', { app: { id: app.id } }), await counted()]).toEqual(['Success', 0])
  expect((await story.call(path, { method: 'DELETE' })).status).toBe(204)
}, 90_000)
