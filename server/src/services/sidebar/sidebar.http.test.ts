import type { Permission } from '@quayside/contract/permissions/permission-entry'
import type { MenuEntry, MenuGroup } from '@quayside/contract/sidebar/endpoints'
import { mostEntries, mostGroups } from '@quayside/contract/sidebar/rules'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const path = '/portal-api/v0/menu'

let world: World
let admin: string
let other: string
let space: Space

beforeAll(async () => {
  world = await World.start({ cluster: false })
  admin = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  other = await world.tokenFor({ realmRoles: ['quayside-viewer'] })
  space = (await call<Space>('/portal-api/v3/spaces', { body: { displayName: 'Storefront' } })).body
})
afterAll(() => world?.close())

interface Init {
  method?: string
  body?: unknown
  token?: string
}

async function call<T>(address: string, init: Init = {}) {
  const answer = await world.api(address, { token: admin, ...init })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T }
}
const read = async (token = admin) => (await call<{ data: MenuGroup[] }>(path, { token })).body.data
const addGroup = (title: string, token = admin) => call<MenuGroup>(`${path}/groups`, { body: { title }, token })
const pin = (gid: string, body: object, token = admin) =>
  call<MenuEntry>(`${path}/groups/${gid}/entries/`, { body, token })
const storefront = () => ({
  name: 'Storefront',
  icon: 'spaces',
  link: 'routerLink',
  selectedEntryId: space.id,
  type: 'spaces',
})
const runbook = { name: 'Runbook', icon: '', link: 'https://wiki.example.org/runbook', type: 'externalLink' }

describe('who may', () => {
  test.each([
    ['GET', ''],
    ['POST', '/groups'],
    ['PUT', '/groups/x'],
    ['DELETE', '/groups/x'],
    ['POST', '/groups/x/entries/'],
    ['PUT', '/groups/x/entries/'],
    ['DELETE', '/groups/x/entries/y'],
  ])('%s %s wants a token', async (method, rest) => {
    expect((await world.api(path + rest, { method })).status).toBe(401)
  })

  test('only what one may open can be pinned', async () => {
    const token = await world.tokenFor({})
    const group = (await addGroup('Mine', token)).body
    expect(await pin(group.id, storefront(), token)).toMatchObject({
      status: 403,
      body: { code: 'auth.forbidden', field: 'selectedEntryId', details: { needs: [{ section: 'spaces' }] } },
    })
    expect((await pin(group.id, runbook, token)).status).toBe(201)
  })
})

describe('bad input', () => {
  test.each([
    ['an empty name', ' '],
    ['a name of 25 characters', 'x'.repeat(25)],
  ])('%s of a group', async (_, title) => {
    expect(await addGroup(title)).toMatchObject({ status: 400, body: { field: 'title' } })
  })

  test.each([
    ['a script as a link', { link: 'javascript:alert(1)' }, 'link'],
    ['data as a link', { link: 'data:text/html,x' }, 'link'],
    ['an address without its protocol', { link: 'wiki.example.org' }, 'link'],
    ['an address without a host', { link: 'https://' }, 'link'],
    ['a link that is too long', { link: `https://x.org/${'x'.repeat(2048)}` }, 'link'],
    ['no name', { name: ' ' }, 'name'],
    ['markup as an icon', { icon: '<svg>' }, 'icon'],
    ['an unknown type', { type: 'users' }, 'type'],
    ['another group', { groupId: 'other' }, 'groupId'],
  ])('%s', async (_, change, field) => {
    const group = (await addGroup('Bad input')).body
    expect(await pin(group.id, { ...runbook, ...change })).toMatchObject({ status: 400, body: { field } })
    await call(`${path}/groups/${group.id}`, { method: 'DELETE' })
  })

  test.each([
    ['apps', 'app.not-found'],
    ['spaces', 'space.not-found'],
    ['clusters', 'cluster.not-found'],
    ['dashboards', 'dashboard.not-found'],
  ])('an item of %s that does not exist', async (type, code) => {
    const group = (await addGroup('Nothing')).body
    const body = { ...storefront(), type, selectedEntryId: 'nothing' }
    expect(await pin(group.id, body)).toMatchObject({ status: 404, body: { code, field: 'selectedEntryId' } })
    await call(`${path}/groups/${group.id}`, { method: 'DELETE' })
  })
})

describe('a side bar', () => {
  test('holds groups and pins, names them as they are called now, and loses them again', async () => {
    const group = (await addGroup('  Daily  ')).body
    expect(group).toEqual({ id: group.id, title: 'Daily', entries: [] })
    const first = await pin(group.id, { ...storefront(), groupId: group.id })
    expect(first).toMatchObject({ status: 201, body: { itemName: 'Storefront', state: 'open', link: 'routerLink' } })
    expect(await pin(group.id, storefront())).toMatchObject({ status: 409, body: { code: 'menu.already-pinned' } })
    const long = Array.from({ length: 1900 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 20_000))).join('')
    const far = await pin(group.id, { ...runbook, link: `https://wiki.example.org/${long}` })
    expect(far.status).toBe(201)
    expect(await pin(group.id, { ...runbook, link: far.body.link })).toMatchObject({ status: 409 })
    expect((await call(`${path}/groups/${group.id}/entries/${far.body.id}`, { method: 'DELETE' })).status).toBe(204)
    const second = await pin(group.id, runbook)
    expect(second.body).toMatchObject({ link: runbook.link, selectedEntryId: null, itemName: null, state: 'open' })

    await call(`/portal-api/v3/spaces/${space.id}`, { method: 'PUT', body: { displayName: 'Shop' } })
    const ids = [second.body.id, first.body.id]
    const renamed = await call(`${path}/groups/${group.id}`, { method: 'PUT', body: { title: 'Every day' } })
    expect(renamed).toMatchObject({ status: 200, body: { title: 'Every day' } })
    const ordered = await call<MenuGroup>(`${path}/groups/${group.id}/entries`, { method: 'PUT', body: { ids } })
    expect(ordered.body.entries.map(({ id }) => id)).toEqual(ids)
    for (const wrong of [[], ids.slice(1), [ids[0], ids[0]], [...ids, 'other']]) {
      const answer = await call(`${path}/groups/${group.id}/entries/`, { method: 'PUT', body: { ids: wrong } })
      expect(answer).toMatchObject({ status: 400, body: { field: 'ids' } })
    }
    const [shown] = await read()
    expect(shown).toMatchObject({ title: 'Every day', entries: [{ name: 'Runbook' }, { itemName: 'Shop' }] })

    // Those that go leave gaps in the order, and the next one still comes last.
    const more = await Promise.all([1, 2, 3].map((at) => pin(group.id, { ...runbook, link: `${runbook.link}/${at}` })))
    for (const { body } of [second, ...more.slice(0, 1)])
      expect((await call(`${path}/groups/${group.id}/entries/${body.id}`, { method: 'DELETE' })).status).toBe(204)
    const last = await pin(group.id, { ...runbook, name: 'Last', link: `${runbook.link}/last` })
    expect((await read())[0]?.entries.at(-1)?.id).toBe(last.body.id)

    const gone = `${path}/groups/${group.id}/entries/${first.body.id}`
    expect((await call(gone, { method: 'DELETE' })).status).toBe(204)
    expect(await call(gone, { method: 'DELETE' })).toMatchObject({
      status: 404,
      body: { code: 'menu.entry-not-found' },
    })
    expect((await call(`${path}/groups/${group.id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await read()).toEqual([])
  })

  test('says of a pin that its item is gone, or closed to whoever looks', async () => {
    const roles = { 'quayside-portal-ui-spaces': ['access'] }
    const token = await world.tokenFor({ clientRoles: roles })
    const members = [{ principal: { type: 'user', id: decodeJwt(token).sub }, role: 'viewer' }]
    const { body: brief } = await call<Space>('/portal-api/v3/spaces', { body: { displayName: 'Brief', members } })
    const group = (await addGroup('States', token)).body
    await pin(group.id, { ...storefront(), name: 'Brief', selectedEntryId: brief.id }, token)
    const shown = async () => (await read(token))[0]?.entries[0]
    expect(await shown()).toMatchObject({ itemName: 'Brief', state: 'open' })
    // An item that somebody may not see any more looks the same as one that is gone.
    const list = `/portal-api/v3/spaces/${brief.id}/permissions`
    const { body: entries } = await call<{ data: Permission[] }>(list)
    const own = entries.data.find(({ role }) => role.id === 'viewer')
    await call(`${list}/${own?.id}`, { method: 'DELETE' })
    expect(await shown()).toMatchObject({ name: 'Brief', itemName: null, state: 'gone' })
    expect(await pin(group.id, { ...storefront(), name: 'Again', selectedEntryId: brief.id }, token)).toMatchObject({
      status: 404,
      body: { code: 'space.not-found', field: 'selectedEntryId' },
    })
    await call(`/portal-api/v3/spaces/${brief.id}`, { method: 'DELETE' })
    expect(await shown()).toMatchObject({ name: 'Brief', itemName: null, state: 'gone' })
    const weak = await world.tokenFor({})
    const me = decodeJwt(weak).sub
    await asPlatform(`insert into menu_groups (id, tenant_id, person_id, title)
      select 'closed', id, '${me}', 'Closed' from tenants where realm = '${world.realm}'`)
    await asPlatform(`insert into menu_entries
        (id, tenant_id, person_id, group_id, name, icon, link, selected_entry_id, type, position)
      select 'closed-1', id, '${me}', 'closed', 'Secret', '', 'routerLink', '${space.id}', 'spaces', 1
      from tenants where realm = '${world.realm}'`)
    expect((await read(weak))[0]?.entries[0]).toMatchObject({ name: 'Secret', itemName: null, state: 'closed' })
  })

  test('is closed to other people and to other tenants', async () => {
    const group = (await addGroup('Private')).body
    const { body: entry } = await pin(group.id, runbook)
    const me = decodeJwt(admin).sub
    await asPlatform(
      `insert into tenants (id, identifier, realm, display_name) values ('abroad', 'abroad', 'abroad', 'Abroad')`,
    )
    await asPlatform(
      `insert into menu_groups (id, tenant_id, person_id, title) values ('theirs', 'abroad', '${me}', 'Theirs')`,
    )
    expect(await read(other)).toEqual([])
    expect((await read()).map(({ title }) => title)).toEqual(['Private'])
    const foreign = [
      [group.id, entry.id, other],
      ['theirs', 'nothing', admin],
    ] as const
    for (const [gid, eid, token] of foreign) {
      const of = `${path}/groups/${gid}`
      const answers = [
        await call(of, { method: 'PUT', body: { title: 'Taken' }, token }),
        await call(of, { method: 'DELETE', token }),
        await pin(gid, runbook, token),
        await call(`${of}/entries/`, { method: 'PUT', body: { ids: [] }, token }),
        await call(`${of}/entries/${eid}`, { method: 'DELETE', token }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
      expect(answers[0]?.body).toMatchObject({ code: 'menu.group-not-found' })
    }
    expect((await read())[0]?.entries).toHaveLength(1)
  })

  test('takes so many groups and entries and no more, also when all come at once', async () => {
    const token = await world.tokenFor({})
    const made = await Promise.all(Array.from({ length: mostGroups + 3 }, (_, n) => addGroup(`Group ${n}`, token)))
    expect(made.filter(({ status }) => status === 201)).toHaveLength(mostGroups)
    const refused = { status: 409, body: { code: 'menu.full' } }
    expect(made.filter(({ status }) => status !== 201)).toMatchObject([refused, refused, refused])
    const gid = (await read(token))[0]?.id ?? ''
    const links = Array.from({ length: mostEntries + 2 }, (_, n) =>
      pin(gid, { ...runbook, link: `https://x.org/${n}` }, token),
    )
    const statuses = (await Promise.all(links)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(mostEntries)
    expect(statuses.filter((status) => status === 409)).toHaveLength(2)
  })
})

/** Runs SQL that no call of the API allows: changing rows of another tenant. */
async function asPlatform(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  try {
    await client.query(`select set_config('app.tenant', '*', false)`)
    await client.query(statement)
  } finally {
    await client.end()
  }
}
