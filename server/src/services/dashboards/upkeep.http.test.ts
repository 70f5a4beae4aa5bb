import type { Dashboard, DashboardRow } from '@quayside/contract/dashboards/endpoints'
import type { Widget } from '@quayside/contract/dashboards/library'
import type { DashboardPermission } from '@quayside/contract/dashboards/permission-list'
import { createStory, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const path = '/dashboard/v3/dashboards'
const [configurations, library] = ['/dashboard/v1/configurations', '/dashboard/v1/library']
const view = ['dashboard.view']
const all = ['dashboard.view', 'dashboard.edit', 'dashboard.share', 'dashboard.manage']

let world: World
let admin: Story

beforeAll(async () => {
  world = await World.start()
  admin = await somebody('quayside-admin')
})
afterAll(() => world?.close())

const somebody = async (role = 'quayside-member') => createStory(world, await world.tokenFor({ realmRoles: [role] }))
const person = ({ userId: id }: { userId: string }) => ({ type: 'user', id })
const everyone = { type: 'everyone' }
const make = (who: Story, displayName: string, tags: string[] = []) =>
  who.good<Dashboard>(path, { body: { displayName, tags } })
const share = (who: Story, id: string, principal: object, scopes: string[]) =>
  who.call(`${path}/${id}/permissions`, { body: { principal, scopes } })
const entriesOf = async (who: Story, id: string) =>
  (await who.good<{ data: DashboardPermission[] }>(`${path}/${id}/permissions`)).data
const replace = (who: Story, id: string, data: object[]) =>
  who.call(`${path}/${id}/permissions`, { method: 'PUT', body: { data } })
const asSent = ({ principal: { type, id }, scopes }: DashboardPermission) => ({ principal: { type, id }, scopes })

/** Somebody who never signs in here, and whose account can be removed. */
async function colleague() {
  const { username } = await world.personWith({ realmRoles: ['quayside-member'] })
  const directory = await world.directory()
  const [found] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${username}`)
  return { userId: found?.id ?? '' }
}
const removeAccount = ({ userId }: { userId: string }) => admin.good(`/iam/v2/users/${userId}`, { method: 'DELETE' })

describe('what a tenant keeps for its dashboards is limited', () => {
  const many = (length: number, value: unknown) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`name${at}`, value]))
  const setting = { type: 'string', title: 'Name' }
  const kind = { name: 'many', version: '1.0.0', title: 'Many', kind: 'Markdown' }
  const text = 'a'.repeat(1000)
  const panel = { kind: 'Panel', spec: { display: { name: 'a' }, plugin: { kind: 'Markdown', spec: { text: '' } } } }
  const long = {
    ...panel,
    spec: { ...panel.spec, plugin: { kind: 'Markdown', spec: { text: '\u6f22'.repeat(12_000) } } },
  }

  test.each<[string, string, object, RegExp]>([
    ['51 variables', configurations, { name: 'a', kind: 'variables', value: many(51, 'a') }, /value/],
    ['33 KiB of variables', configurations, { name: 'a', kind: 'variables', value: many(33, text) }, /value/],
    [
      '51 settings',
      `${library}/register`,
      { ...kind, settingsSchema: { properties: many(51, setting) } },
      /settingsSchema/,
    ],
    ['51 bindings', `${library}/register`, { ...kind, bindings: many(51, 'text') }, /bindings/],
    [
      '33 KiB of settings',
      `${library}/register`,
      { ...kind, settingsSchema: { properties: many(33, { ...setting, default: text }) } },
      /settingsSchema/,
    ],
    ['36 KB of text', library, { title: 'a', category: 'a', panel: long }, /panel/],
    [
      'a binding of a name that no setting has',
      `${library}/register`,
      { ...kind, kind: 'AppStates', bindings: { constructor: 'spaceId' } },
      /bindings/,
    ],
  ])('%s are too many', async (_, where, body, field) => {
    expect(await admin.call(where, { body })).toMatchObject({
      status: 400,
      body: { code: 'request.invalid', field: expect.stringMatching(field) },
    })
  })

  test('a list that is full is refused more, by a new entry or a longer one, and has room once one is deleted', async () => {
    const value = many(31, text)
    const save = (body: object) => admin.call<{ id: string }>(configurations, { body: { kind: 'variables', ...body } })
    const small = await save({ name: 'small', value: {} })
    const ids: string[] = []
    let full = await save({ name: 'large', value })
    while (full.status === 200 && ids.length < 200) {
      ids.push(full.body.id)
      full = await save({ name: `large ${ids.length}`, value })
    }
    expect(full).toMatchObject({ status: 409, body: { code: 'dashboard.too-many' } })
    // 4 MiB in entries of 31 KB each.
    expect(ids.length).toBeGreaterThan(100)
    expect(await save({ id: small.body.id, name: 'small', value })).toMatchObject({ status: 409 })
    expect(await admin.call(`${configurations}/${ids[0]}`, { method: 'DELETE' })).toMatchObject({ status: 204 })
    expect(await admin.call(`${configurations}/${ids[0]}`)).toMatchObject({ status: 404 })
    expect(await save({ id: small.body.id, name: 'small', value })).toMatchObject({ status: 200 })
    const member = await somebody()
    expect(await member.call(`${configurations}/${ids[1]}`, { method: 'DELETE' })).toMatchObject({ status: 403 })
  })

  test('a widget is removed from the library, those of the portal stay, and its name is free again', async () => {
    const register = (title: string) => admin.call<Widget>(`${library}/register`, { body: { ...kind, title } })
    const { id } = (await register('One')).body
    const page = await admin.good<{ data: Widget[]; page: { total: number } }>(`${library}?page.limit=1&search=one`)
    expect(page).toMatchObject({ data: [{ id, source: 'package' }], page: { total: 1 } })
    expect(await admin.call(`${library}/${id}`, { method: 'DELETE' })).toMatchObject({ status: 204 })
    expect(await admin.call(`${library}/${id}`, { method: 'DELETE' })).toMatchObject({
      status: 404,
      body: { code: 'widget.not-found' },
    })
    expect(await admin.call(`${library}/Markdown`, { method: 'DELETE' })).toMatchObject({
      status: 409,
      body: { code: 'widget.built-in' },
    })
    expect(await register('Two')).toMatchObject({ status: 201 })
  })
})

test('an account that is gone manages nothing: the last manager who is there stays', async () => {
  const [one, two] = [await somebody(), await colleague()]
  const { id } = await make(one, 'Managed by two')
  await share(one, id, person(two), all)
  await removeAccount(two)
  const own = (await entriesOf(one, id)).find(({ principal }) => principal.id === one.userId)
  expect(await one.call(`${path}/${id}/permissions/${own?.id}`, { method: 'DELETE' })).toMatchObject({
    status: 409,
    body: { code: 'dashboard.last-manager' },
  })
})

test('a dashboard whose only manager is gone is listed to administrators, and one of them takes it over', async () => {
  const [maker, member, leaver] = [await somebody(), await somebody(), await colleague()]
  const { id } = await make(maker, 'Left behind')
  await share(maker, id, person(leaver), all)
  const { id: kept } = await make(member, 'Kept')
  await share(maker, id, person(member), view)
  const own = (await entriesOf(maker, id)).find(({ principal }) => principal.id === maker.userId)
  await maker.good(`${path}/${id}/permissions/${own?.id}`, { method: 'DELETE' })
  const orphans = async (who: Story) => {
    const answer = await who.call<{ data: DashboardRow[] }>('/dashboard/v2/dashboards?filters.orphaned=true')
    return answer.status === 200 ? answer.body.data.map((row) => row.id) : answer.status
  }
  const take = (who: Story, which: string) => who.call<Dashboard>(`${path}/${which}/take-over`, { method: 'POST' })
  expect(await orphans(admin)).not.toContain(id)
  expect(await take(admin, id)).toMatchObject({ status: 404 })
  await removeAccount(leaver)
  expect(await orphans(member)).toBe(403)
  expect(await take(member, id)).toMatchObject({ status: 403 })
  expect(await orphans(admin)).toContain(id)
  expect(await orphans(admin)).not.toContain(kept)
  expect(await take(admin, kept)).toMatchObject({ status: 404 })
  expect(await take(admin, id)).toMatchObject({ status: 200, body: { scopes: all, ownerId: admin.userId } })
  expect(await orphans(admin)).not.toContain(id)
  expect(await take(admin, id)).toMatchObject({ status: 409, body: { code: 'dashboard.has-manager' } })
  const log = await admin.good<object>('/portal-api/v1/audit?search=take')
  expect(JSON.stringify(log)).toContain(id)
})

test('of two who take over a dashboard at once, one has it', async () => {
  const [maker, leaver, other] = [await somebody(), await colleague(), await somebody('quayside-admin')]
  const { id } = await make(maker, 'Left to two')
  await share(maker, id, person(leaver), all)
  const own = (await entriesOf(maker, id)).find(({ principal }) => principal.id === maker.userId)
  await maker.good(`${path}/${id}/permissions/${own?.id}`, { method: 'DELETE' })
  await removeAccount(leaver)
  const answers = await Promise.all(
    [admin, other].map((who) => who.call<Dashboard>(`${path}/${id}/take-over`, { method: 'POST' })),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  // The later one learns that there is a manager, or sees the dashboard no longer.
  expect([404, 409]).toContain(statuses.find((status) => status !== 200))
  const managers = (await entriesOf(admin.userId === answers[0]?.body.ownerId ? admin : other, id)).filter(
    ({ principal, scopes }) => !principal.isGone && scopes.includes('dashboard.manage'),
  )
  expect(managers).toHaveLength(1)
})

test('a filter that is neither true nor false is refused, and a copy has the texts and tags that are given', async () => {
  const list = '/dashboard/v2/dashboards?filters'
  for (const name of ['deleted', 'starred'])
    expect(await admin.call(`${list}.${name}=xyz`)).toMatchObject({ status: 400, body: { field: `filters.${name}` } })
  const member = await somebody()
  const body = { displayName: 'Copied', description: 'Of the team', tags: ['prod'] }
  const { id: dashboardId } = await member.good<Dashboard>(path, { body })
  const copy = (more: object) => member.call<Dashboard>(path, { body: { from: { dashboardId }, ...more } })
  expect((await copy({})).body).toMatchObject({ ...body, displayName: 'Copied (copy)' })
  const given = { displayName: 'Mine', description: '', tags: ['test'] }
  expect((await copy(given)).body).toMatchObject(given)
  expect(await copy({ tags: ['default-home'] })).toMatchObject({ status: 403, body: { field: 'tags' } })
})

test('a list that is replaced gives nobody what the sender does not hold', async () => {
  const [owner, sharer, third] = [await somebody(), await somebody(), await colleague()]
  const { id } = await make(owner, 'Shared in part')
  const held = ['dashboard.view', 'dashboard.share', 'dashboard.manage']
  await share(owner, id, person(sharer), held)
  const before = (await entriesOf(owner, id)).map(asSent)
  const escalation = { status: 403, body: { code: 'dashboard.escalation' } }
  const mine = { principal: person(sharer), scopes: all }
  expect(await replace(sharer, id, [mine])).toMatchObject(escalation)
  const others = before.filter(({ principal }) => principal.id !== sharer.userId)
  expect(await replace(sharer, id, [...others, mine])).toMatchObject(escalation)
  expect(
    await replace(
      sharer,
      id,
      before.filter(({ principal }) => principal.id === sharer.userId),
    ),
  ).toMatchObject(escalation)
  const withThird = [...before, { principal: person(third), scopes: view }]
  expect(await replace(sharer, id, withThird)).toMatchObject({ status: 200 })
  expect((await entriesOf(owner, id)).map(asSent)).toEqual(expect.arrayContaining(withThird))
  // The list as it was read is taken back while somebody on it is gone.
  await removeAccount(third)
  expect(await replace(sharer, id, withThird)).toMatchObject({ status: 200 })
})

test('an administrator makes a dashboard for somebody, who owns it when the administrator has left it', async () => {
  const [member, owner] = [await somebody(), await somebody()]
  const body = { displayName: 'For you', ownerId: owner.userId }
  expect(await member.call(path, { body })).toMatchObject({ status: 403, body: { field: 'ownerId' } })
  expect(await admin.call(path, { body: { ...body, ownerId: 'nobody' } })).toMatchObject({
    status: 400,
    body: { field: 'ownerId' },
  })
  const { id } = await admin.good<Dashboard>(path, { body })
  const entries = await entriesOf(admin, id)
  expect(entries.map(asSent)).toEqual(
    expect.arrayContaining([person(owner), person(admin)].map((principal) => ({ principal, scopes: all }))),
  )
  const own = entries.find(({ principal }) => principal.id === admin.userId)
  await admin.good(`${path}/${id}/permissions/${own?.id}`, { method: 'DELETE' })
  expect(await admin.call(`${path}/${id}`)).toMatchObject({ status: 404 })
  expect(await owner.good<Dashboard>(`${path}/${id}`)).toMatchObject({ ownerId: owner.userId, scopes: all })
})

test('the Home of others is neither deleted nor restored without the role that gives it', async () => {
  const keeper = await somebody()
  const { id } = await make(admin, 'Home to stay', ['recommended-home'])
  await share(admin, id, person(keeper), all)
  const refused = { status: 403, body: { field: 'tags' } }
  expect(await keeper.call(`${path}/${id}`, { method: 'DELETE' })).toMatchObject(refused)
  await admin.good(`${path}/${id}`, { method: 'DELETE' })
  expect(await keeper.call(`${path}/${id}/restore`, { method: 'POST' })).toMatchObject(refused)
})

test('an older Home is neither saved nor shared back into being the Home of others', async () => {
  const [editor, viewer] = [await somebody(), await somebody()]
  const homeOf = async () =>
    (await viewer.good<{ dashboard: { id: string } | null }>('/dashboard/v1/home')).dashboard?.id
  const older = await make(admin, 'Older Home', ['default-home'])
  const newer = await make(admin, 'Newer Home', ['default-home'])
  const mayEdit = ['dashboard.view', 'dashboard.edit', 'dashboard.share']
  expect(await share(admin, older.id, person(editor), mayEdit)).toMatchObject({ status: 201 })
  await share(admin, newer.id, everyone, view)
  await share(admin, older.id, person(viewer), view)
  expect(await homeOf()).toBe(newer.id)
  const { displayName, tags, spec } = older
  const body = { displayName, tags, spec, baseRevision: 1 }
  expect(await editor.call(`${path}/${older.id}`, { method: 'PUT', body })).toMatchObject({ status: 200 })
  expect(await homeOf()).toBe(newer.id)
  expect(await share(editor, older.id, everyone, view)).toMatchObject({ status: 403, body: { field: 'tags' } })
  // The tag that is set anew makes it the newest.
  const untagged = { ...body, tags: [], baseRevision: 2 }
  await admin.good(`${path}/${older.id}`, { method: 'PUT', body: untagged })
  await admin.good(`${path}/${older.id}`, { method: 'PUT', body: { ...untagged, tags, baseRevision: 3 } })
  expect(await homeOf()).toBe(older.id)
})
