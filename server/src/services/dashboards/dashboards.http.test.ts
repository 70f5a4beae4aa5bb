import { readFileSync } from 'node:fs'
import type { Dashboard, DashboardRow } from '@quayside/contract/dashboards/endpoints'
import type { Widget } from '@quayside/contract/dashboards/library'
import type { DashboardPermission } from '@quayside/contract/dashboards/permission-list'
import type { PanelFrame } from '@quayside/contract/dashboards/query'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { createStory, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const path = '/dashboard/v3/dashboards'
const member = { realmRoles: ['quayside-member'] }
const all = ['dashboard.view', 'dashboard.edit', 'dashboard.share', 'dashboard.manage']

let world: World
let admin: Story
let owner: Story
let other: Story
let spaces: [Space, Space]

beforeAll(async () => {
  world = await World.start()
  const people = await Promise.all([
    world.tokenFor({ realmRoles: ['quayside-admin'] }),
    world.tokenFor(member),
    world.tokenFor(member),
  ])
  ;[admin, owner, other] = people.map((token) => createStory(world, token)) as [Story, Story, Story]
  const first = await admin.space('First', readFileSync(world.kubeconfig, 'utf8'))
  const clusterIds = first.clusters.map(({ id }) => id)
  const second = await admin.good<Space>('/portal-api/v3/spaces', { body: { displayName: 'Second', clusterIds } })
  spaces = [first, second]
  const chart = await admin.uploadSmall('mail', '1.0.0')
  for (const space of [first, first, second]) await admin.assign(space, chart)
  const sees = (who: Story, space: Space) =>
    admin.good(`/portal-api/v3/spaces/${space.id}/permissions`, {
      body: { principal: { type: 'user', id: who.userId }, role: 'viewer' },
    })
  await Promise.all([sees(owner, first), sees(owner, second), sees(other, second)])
})
afterAll(() => world?.close())

type Plugins = Record<string, { kind: string; spec: object }>
function specOf(plugins: Plugins) {
  const entries = Object.entries(plugins)
  return {
    panels: Object.fromEntries(
      entries.map(([key, plugin]) => [key, { kind: 'Panel', spec: { display: { name: key }, plugin } }]),
    ),
    layouts: [
      {
        kind: 'Grid',
        spec: {
          items: entries.map(([key], at) => ({
            x: 0,
            y: at * 4,
            width: 8,
            height: 4,
            content: { $ref: `#/spec/panels/${key}` },
          })),
        },
      },
    ],
  }
}
const note = specOf({ note: { kind: 'Markdown', spec: { text: '# Hello' } } })

let made = 0
const make = (who: Story, more: object = {}) => {
  made += 1
  return who.good<Dashboard>(path, { body: { displayName: `Board ${made}`, spec: note, ...more } })
}
const share = (who: Story, id: string, principal: object, scopes: string[]) =>
  who.call<DashboardPermission & { code: string }>(`${path}/${id}/permissions`, { body: { principal, scopes } })
const person = ({ userId: id }: Story) => ({ type: 'user', id })
const listed = async (who: Story, query = '') =>
  (await who.good<{ data: DashboardRow[] }>(`/dashboard/v2/dashboards?page.limit=1000${query}`)).data.map(
    ({ id }) => id,
  )

async function framesOf(who: Story, body: object): Promise<Record<string, PanelFrame>> {
  const range = {
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 60_000).toISOString(),
  }
  const answer = await world.api('/dashboard/v1/query', { token: who.token, body: { ...body, range } })
  expect(answer.headers.get('content-type')).toContain('application/x-ndjson')
  const lines = (await answer.text()).trim().split('\n')
  return Object.fromEntries(lines.map((line) => JSON.parse(line) as PanelFrame).map((frame) => [frame.key, frame]))
}

describe('who may', () => {
  test.each([
    ['GET', '/dashboard/v1/manage/scopes'],
    ['GET', '/dashboard/v2/dashboards'],
    ['POST', path],
    ['DELETE', `${path}/nothing`],
    ['POST', '/dashboard/v1/query'],
    ['PUT', '/dashboard/v1/home'],
  ])('%s %s wants a token', async (method, where) => {
    expect((await world.api(where, { method, ...(method === 'GET' ? {} : { body: {} }) })).status).toBe(401)
  })

  test('a dashboard that is shared with nobody does not exist for others', async () => {
    const { id } = await make(owner)
    expect(await other.call(`${path}/${id}`)).toMatchObject({ status: 404, body: { code: 'dashboard.not-found' } })
    expect(await admin.call(`${path}/${id}`)).toMatchObject({ status: 404 })
    expect(await listed(other)).not.toContain(id)
    expect(await listed(owner)).toContain(id)
  })

  test('who may see it changes, shares and deletes nothing', async () => {
    const { id } = await make(owner)
    expect(await share(owner, id, person(other), ['dashboard.view'])).toMatchObject({ status: 201 })
    const seen = await other.good<Dashboard>(`${path}/${id}`)
    expect(seen.scopes).toEqual(['dashboard.view'])
    const { displayName, spec } = seen
    const body = { displayName, spec, baseRevision: 1 }
    const refused = { status: 403, body: { code: 'dashboard.forbidden' } }
    expect(await other.call(`${path}/${id}`, { method: 'PUT', body })).toMatchObject(refused)
    expect(await other.call(`${path}/${id}`, { method: 'DELETE' })).toMatchObject(refused)
    expect(await share(other, id, person(admin), ['dashboard.view'])).toMatchObject(refused)
  })
})

describe('bad input', () => {
  const item = { x: 20, y: 0, width: 8, height: 4, content: { $ref: '#/spec/panels/note' } }
  test.each<[string, object, RegExp]>([
    ['no name', { displayName: ' ' }, /displayName/],
    ['a panel on no grid', { spec: { ...note, layouts: [] } }, /spec/],
    ['a place beyond the columns', { spec: { ...note, layouts: [{ kind: 'Grid', spec: { items: [item] } }] } }, /spec/],
    ['a time range of nothing', { spec: { ...note, duration: '0h' } }, /spec\.duration/],
    ['a time range of years', { spec: { ...note, duration: '9999w' } }, /spec\.duration/],
    ['a refresh at every second', { spec: { ...note, refreshInterval: '1s' } }, /spec\.refreshInterval/],
    ['an unknown kind of panel', { spec: specOf({ a: { kind: 'Nothing', spec: {} } }) }, /spec/],
    [
      'a setting that the kind does not have',
      { spec: specOf({ a: { kind: 'AppStates', spec: { sql: 'x' } } }) },
      /spec/,
    ],
    [
      'a link that runs code',
      { spec: specOf({ a: { kind: 'Links', spec: { links: [{ name: 'a', url: 'javascript:alert(1)' }] } } }) },
      /spec/,
    ],
  ])('%s', async (_, change, field) => {
    const answer = await owner.call<{ code: string; field: string }>(path, { body: { displayName: 'Bad', ...change } })
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'request.invalid', field: expect.stringMatching(field) },
    })
  })

  test('home tags decide about others, which takes a role', async () => {
    const body = { displayName: 'Home of all', tags: ['default-home'] }
    expect(await owner.call(path, { body })).toMatchObject({ status: 403, body: { field: 'tags' } })
  })
})

test('a save that is late is refused, and says who was first', async () => {
  const { id, displayName, spec } = await make(owner)
  await share(owner, id, person(other), ['dashboard.edit'])
  const save = (who: Story, name: string) =>
    who.call(`${path}/${id}`, { method: 'PUT', body: { displayName: name, spec, baseRevision: 1 } })
  expect(await save(other, 'Theirs')).toMatchObject({ status: 200, body: { revision: 2 } })
  expect(await save(owner, displayName)).toMatchObject({
    status: 409,
    body: { code: 'dashboard.revision-changed', details: { revision: 2, by: expect.any(String) } },
  })
  expect(await owner.good<Dashboard>(`${path}/${id}`)).toMatchObject({ displayName: 'Theirs', revision: 2 })
})

describe('a permission list', () => {
  const entriesOf = async (who: Story, id: string) =>
    (await who.good<{ data: DashboardPermission[] }>(`${path}/${id}/permissions`)).data

  test('keeps a manager, and nobody grants what they do not hold', async () => {
    const { id } = await make(owner)
    const [own] = await entriesOf(owner, id)
    const last = { status: 409, body: { code: 'dashboard.last-manager' } }
    expect(await owner.call(`${path}/${id}/permissions/${own?.id}`, { method: 'DELETE' })).toMatchObject(last)
    const lower = { id: own?.id, scopes: ['dashboard.view'] }
    expect(await owner.call(`${path}/${id}/permissions`, { method: 'PUT', body: lower })).toMatchObject(last)
    await share(owner, id, person(other), ['dashboard.share'])
    expect(await share(other, id, person(admin), ['dashboard.edit'])).toMatchObject({
      status: 403,
      body: { code: 'dashboard.escalation' },
    })
    const raised = { id: (await entriesOf(other, id))[1]?.id, scopes: all }
    expect(await other.call(`${path}/${id}/permissions`, { method: 'PUT', body: raised })).toMatchObject({
      status: 403,
    })
    const editor = (await share(owner, id, person(admin), ['dashboard.edit'])).body.id
    const taken = { id: editor, scopes: ['dashboard.view'] }
    expect(await other.call(`${path}/${id}/permissions`, { method: 'PUT', body: taken })).toMatchObject({
      status: 403,
      body: { code: 'dashboard.escalation' },
    })
    await owner.good(`${path}/${id}/permissions/${editor}`, { method: 'DELETE' })
    expect(await other.call(`${path}/${id}/permissions/${own?.id}`, { method: 'DELETE' })).toMatchObject({
      status: 403,
    })
    expect((await entriesOf(owner, id)).map(({ scopes }) => scopes)).toEqual([
      all,
      ['dashboard.view', 'dashboard.share'],
    ])
  })

  test('is replaced by nobody who would give or take what they do not hold', async () => {
    const { id } = await make(owner)
    await share(owner, id, person(other), ['dashboard.share', 'dashboard.manage'])
    const replace = (data: object[]) => other.call(`${path}/${id}/permissions`, { method: 'PUT', body: { data } })
    const owners = { principal: person(owner), scopes: all }
    const own = { principal: person(other), scopes: ['dashboard.view', 'dashboard.share', 'dashboard.manage'] }
    const escalation = { status: 403, body: { code: 'dashboard.escalation' } }
    expect(await replace([owners, { ...own, scopes: all }])).toMatchObject(escalation)
    expect(await replace([own])).toMatchObject(escalation)
    expect(await replace([owners, own])).toMatchObject({ status: 200 })
  })

  test('two managers who leave at the same moment leave one', async () => {
    const { id } = await make(owner)
    await share(owner, id, person(other), all)
    const entries = await entriesOf(owner, id)
    const answers = await Promise.all(
      [owner, other].map((who, at) => who.call(`${path}/${id}/permissions/${entries[at]?.id}`, { method: 'DELETE' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
  })

  test('is judged by what somebody holds when their turn has come', async () => {
    const { id } = await make(owner)
    await share(owner, id, person(other), ['dashboard.share'])
    const database = new pg.Client({ connectionString: world.databaseUrl })
    await database.connect()
    await database.query(`begin; set local app.tenant = '*'`)
    await database.query('select from dashboards where id = $1 for update', [id])
    const asked = share(other, id, person(admin), ['dashboard.view'])
    const waits = `select from pg_locks where not granted and locktype = 'transactionid'`
    const waiting = () => database.query(waits).then(({ rowCount }) => rowCount)
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
    await database.query('delete from dashboard_permissions where dashboard_id = $1 and principal_id = $2', [
      ...[id, other.userId],
    ])
    await database.query('commit')
    await database.end()
    expect(await asked).toMatchObject({ status: 404 })
    expect((await admin.call(`${path}/${id}`)).status).toBe(404)
  })

  test('is replaced as a whole, names people and knows everyone once', async () => {
    const { id } = await make(owner)
    const everyone = { principal: { type: 'everyone' }, scopes: ['dashboard.view'] }
    const put = (data: object[]) => owner.call(`${path}/${id}/permissions`, { method: 'PUT', body: { data } })
    expect(await put([everyone])).toMatchObject({ status: 409, body: { code: 'dashboard.last-manager' } })
    const twice = [{ principal: person(owner), scopes: all }, everyone, everyone]
    expect(await put(twice)).toMatchObject({ status: 409, body: { code: 'dashboard.permission-exists' } })
    expect(await put(twice.slice(0, 2))).toMatchObject({ status: 200 })
    expect((await entriesOf(other, id)).map(({ principal }) => principal.name)).toContain('Everyone')
    expect(await share(owner, id, { type: 'user', id: 'nobody' }, ['dashboard.view'])).toMatchObject({
      status: 400,
      body: { field: 'principal.id' },
    })
  })
})

test('a shared dashboard shows each person what they see themselves, and no more', async () => {
  const plugins: Plugins = {
    all: { kind: 'AppStates', spec: {} },
    first: { kind: 'AppStates', spec: { spaceId: spaces[0].id } },
    second: { kind: 'AppStates', spec: { spaceId: spaces[1].id } },
    nowhere: { kind: 'AppStates', spec: { spaceId: 'nowhere' } },
    events: { kind: 'Events', spec: { spaceId: spaces[0].id } },
    quota: { kind: 'SpaceQuota', spec: { spaceId: spaces[0].id } },
    usage: { kind: 'Usage', spec: { spaceId: spaces[0].id, resource: 'memory' } },
    ledger: { kind: 'Deployments', spec: { spaceId: spaces[0].id } },
    clusters: { kind: 'ClusterMap', spec: {} },
  }
  const { id } = await make(owner, { spec: specOf(plugins) })
  await share(owner, id, { type: 'everyone' }, ['dashboard.view'])
  const panels = Object.keys(plugins)
  const [mine, theirs] = [
    await framesOf(owner, { dashboardId: id, panels }),
    await framesOf(other, { dashboardId: id, panels }),
  ]

  expect(mine.all).toMatchObject({ status: 'ok', data: { total: 3 } })
  expect(mine.first).toMatchObject({ data: { total: 2, states: [{ state: 'assigned', count: 2 }] } })
  expect([mine.events, mine.quota, mine.ledger].map((frame) => frame?.status)).toEqual(['ok', 'ok', 'ok'])
  const off = { state: 'off', message: expect.stringContaining('PROMETHEUS_URL') }
  expect(mine.usage).toMatchObject({ data: { resource: 'memory', usage: { memory: [], collections: [off] } } })
  expect(theirs.all).toMatchObject({ data: { total: 1 } })
  expect(theirs.second).toMatchObject({ data: { total: 1 } })
  for (const key of ['first', 'events', 'quota', 'usage', 'ledger', 'clusters'])
    expect(theirs[key]?.status, key).toBe('hidden')
  // A space that somebody does not see is told like one that is not there.
  const words = ({ key, ...frame }: PanelFrame) => frame
  expect(words(theirs.first as PanelFrame)).toEqual(words(theirs.nowhere as PanelFrame))
  // A preview shows no more than a saved panel.
  const { first } = specOf(plugins).panels
  expect((await framesOf(other, { preview: { first } })).first?.status).toBe('hidden')
  expect((await framesOf(admin, { preview: { clusters: specOf(plugins).panels.clusters } })).clusters).toMatchObject({
    status: 'ok',
    data: { clusters: [{ health: expect.any(String) }] },
  })
})

test('a deleted dashboard is in the trash of who manages it, and comes back with everything', async () => {
  const { id } = await make(owner, { tags: ['kept'] })
  await share(owner, id, person(other), ['dashboard.edit'])
  expect(await owner.call(`${path}/${id}`, { method: 'DELETE' })).toMatchObject({ status: 204 })
  expect(await owner.call(`${path}/${id}`)).toMatchObject({ status: 404 })
  expect(await listed(owner, '&filters.deleted=true')).toContain(id)
  expect(await listed(other, '&filters.deleted=true')).not.toContain(id)
  expect(await other.call(`${path}/${id}/restore`, { method: 'POST' })).toMatchObject({ status: 404 })
  expect(await owner.call(`${path}/${id}/restore`, { method: 'POST' })).toMatchObject({
    status: 200,
    body: { tags: ['kept'] },
  })
  expect(await listed(other)).toContain(id)
})

test('Home is the own choice, then what the tenant tags, then the page of the portal', async () => {
  const homeOf = (who: Story) => who.good<{ dashboard: { id: string } | null; reason: string }>('/dashboard/v1/home')
  const choose = (who: Story, body: object) => who.good('/dashboard/v1/home', { method: 'PUT', body })
  expect(await homeOf(other)).toMatchObject({ dashboard: null, reason: 'none' })
  const recommended = await make(admin, { tags: ['recommended-home'] })
  await share(admin, recommended.id, { type: 'everyone' }, ['dashboard.view'])
  expect(await homeOf(other)).toMatchObject({ dashboard: { id: recommended.id }, reason: 'recommended' })
  const usual = await make(admin, { tags: ['default-home'] })
  expect(await homeOf(other)).toMatchObject({ reason: 'recommended' })
  await share(admin, usual.id, { type: 'everyone' }, ['dashboard.view'])
  expect(await homeOf(other)).toMatchObject({ dashboard: { id: usual.id }, reason: 'default' })
  await choose(other, { choice: 'portal' })
  expect(await homeOf(other)).toMatchObject({ dashboard: null, reason: 'own' })
  const unseen = { choice: 'dashboard', dashboardId: (await make(owner)).id }
  for (const body of [unseen, { ...unseen, dashboardId: 'nothing' }])
    expect(await other.call('/dashboard/v1/home', { method: 'PUT', body })).toMatchObject({
      status: 404,
      body: { code: 'dashboard.not-found' },
    })
  expect(await homeOf(other)).toMatchObject({ reason: 'own' })
  await choose(other, { choice: 'dashboard', dashboardId: recommended.id })
  await admin.good(`${path}/${recommended.id}`, { method: 'DELETE' })
  expect(await homeOf(other)).toMatchObject({ dashboard: { id: usual.id }, reason: 'default' })
  await admin.good(`${path}/${usual.id}`, { method: 'DELETE' })
})

test('the library holds kinds of panels, kept panels and registered kinds, and counts who uses them', async () => {
  const panel = specOf({ a: { kind: 'Markdown', spec: { text: 'Runbook' } } }).panels.a
  expect(
    await owner.call('/dashboard/v1/library', { body: { title: 'Mine', category: 'Texts', panel } }),
  ).toMatchObject({ status: 403 })
  const kept = await admin.good<Widget>('/dashboard/v1/library', {
    body: { title: 'Runbook', category: 'Texts', panel },
  })
  const used = { ...note, panels: { note: { ...panel, spec: { ...panel?.spec, widgetId: kept.id } } } }
  const user = await make(owner, { spec: used })
  const found = async () => (await owner.good<{ data: Widget[] }>('/dashboard/v1/library?search=runbook')).data
  const shown = { id: kept.id, source: 'tenant', defaults: { spec: { text: 'Runbook' } } }
  expect(await found()).toMatchObject([{ ...shown, usedBy: 1 }])
  await owner.good(`${path}/${user.id}`, { method: 'DELETE' })
  expect(await found()).toMatchObject([{ ...shown, usedBy: 0 }])

  const settings = { properties: { where: { type: 'string', title: 'Space', default: spaces[0].id } } }
  const kind = {
    name: 'team-apps',
    version: '1.0.0',
    title: 'Apps of a team',
    kind: 'AppStates',
    settingsSchema: settings,
    bindings: { where: 'spaceId' },
  }
  const register = (body: object) => admin.call<Widget>('/dashboard/v1/library/register', { body })
  const asks = { bindings: kind.bindings, defaults: { spec: { spaceId: spaces[0].id } } }
  expect(await register(kind)).toMatchObject({ status: 201, body: asks })
  const packages = await owner.good<{ data: Widget[] }>('/dashboard/v1/library?filters.source=package')
  expect(packages.data).toMatchObject([asks])
  expect(await register(kind)).toMatchObject({ status: 200 })
  expect(await register({ ...kind, title: 'Other' })).toMatchObject({ status: 409, body: { code: 'widget.exists' } })
  expect(await register({ ...kind, version: '1.0.1', bindings: { where: 'sql' } })).toMatchObject({
    status: 400,
    body: { field: 'bindings.where' },
  })
})

test('a configuration of a space is there for who sees the space, and panels draw from it', async () => {
  const links = [{ name: 'Wiki', url: 'https://wiki.example.org/' }]
  const body = { name: 'Addresses', kind: 'links', value: links, spaceId: spaces[0].id }
  const { id } = await admin.good<{ id: string }>('/dashboard/v1/configurations', { body })
  expect(await other.call(`/dashboard/v1/configurations/${id}`)).toMatchObject({ status: 404 })
  const clientRoles = { 'quayside-portal-ui-apps': ['access', 'apps.create'] }
  const stranger = createStory(world, await world.tokenFor({ ...member, clientRoles }))
  const refused = { status: 404, body: { code: 'configuration.not-found' } }
  expect(await stranger.call(`/dashboard/v1/configurations/${id}`, { method: 'DELETE' })).toMatchObject(refused)
  const changed = { ...body, id, name: 'Links', baseRevision: 1 }
  expect(await admin.call('/dashboard/v1/configurations', { body: changed })).toMatchObject({
    status: 200,
    body: { revision: 2 },
  })
  expect(await admin.call('/dashboard/v1/configurations', { body: changed })).toMatchObject({
    status: 409,
    body: { code: 'configuration.revision-changed' },
  })
  const { links: panel } = specOf({ links: { kind: 'Links', spec: { configurationId: id } } }).panels
  expect((await framesOf(owner, { preview: { links: panel } })).links).toMatchObject({ status: 'ok', data: { links } })
  expect((await framesOf(other, { preview: { links: panel } })).links?.status).toBe('hidden')
})
