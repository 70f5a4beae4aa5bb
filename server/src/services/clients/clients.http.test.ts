import { World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
let admin: string
let viewer: string

beforeAll(async () => {
  world = await World.start({ cluster: false })
  admin = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  viewer = await world.tokenFor({ realmRoles: ['quayside-viewer'] })
})
afterAll(() => world?.close())

const json = async (path: string, token: string, init: { method?: string; body?: unknown } = {}) => {
  const answer = await world.api(path, { token, ...init })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

describe('who may', () => {
  test.each([
    ['GET', '/iam/v2/clients'],
    ['DELETE', '/iam/v2/clients/x'],
  ])('%s %s wants a token', async (method, path) => {
    expect((await world.api(path, { method })).status).toBe(401)
  })

  test.each([
    ['GET', '/iam/v2/clients'],
    ['DELETE', '/iam/v2/clients/x'],
  ])('%s %s is closed to a viewer', async (method, path) => {
    expect((await json(path, viewer, { method })).status).toBe(403)
  })

  test('a viewer cannot make a client either', async () => {
    const body = { clientId: 'robot', realmRoles: ['quayside-viewer'] }
    expect((await json('/iam/v2/clients', viewer, { body })).status).toBe(403)
  })
})

describe('bad input', () => {
  test.each([
    ['a client id with a space', { clientId: 'my robot', realmRoles: ['quayside-viewer'] }, 'clientId'],
    ['no role', { clientId: 'robot', realmRoles: [] }, 'realmRoles'],
    ['a role whose name is a step up', { clientId: 'dotty', realmRoles: ['..'] }, 'realmRoles'],
    ['an unknown role', { clientId: 'robot', realmRoles: ['nobody-knows'] }, 'realmRoles'],
    ['a name of the portal', { clientId: 'quayside-portal-ui-apps2', realmRoles: ['quayside-viewer'] }, 'clientId'],
  ])('%s is a 400 that names the field', async (_name, body, field) => {
    const answer = await json('/iam/v2/clients', admin, { body })
    expect(answer).toMatchObject({ status: 400, body: { field } })
  })

  test('a client that is not there is a 404', async () => {
    expect((await json('/iam/v2/clients/none', admin)).status).toBe(404)
  })
})

test('the account of a script is in no group, also where every new account is put into one', async () => {
  const directory = await world.directory()
  await directory.post('/groups', { name: 'everybody' })
  const [group] = await directory.get<{ id: string }[]>('/groups?search=everybody')
  await directory.put(`/default-groups/${group?.id}`)
  const { status, body } = await json('/iam/v2/clients', admin, {
    body: { clientId: 'loner', realmRoles: ['quayside-viewer'] },
  })
  expect(status).toBe(201)
  const account = await directory.get<{ id: string }>(`/clients/${body.id}/service-account-user`)
  expect(await directory.get(`/users/${account.id}/groups`)).toEqual([])
  await directory.remove(`/default-groups/${group?.id}`)
  await directory.remove(`/clients/${body.id}`)
})

describe('clients as the tenant starts', () => {
  test('the sign-in clients are there with their roles, the identity server’s own are not shown', async () => {
    const { body } = await json('/iam/v2/clients', admin)
    const ids = body.data.map((client: { clientId: string }) => client.clientId)
    expect(ids).toEqual(
      expect.arrayContaining(['quayside-portal-ui', 'quayside-portal-ui-apps', 'quayside-portal-ui-iam-policies']),
    )
    expect(ids).not.toContain('realm-management')
    const apps = body.data.find((client: { clientId: string }) => client.clientId === 'quayside-portal-ui-apps')
    expect(apps).toMatchObject({ serviceAccount: false, roles: ['access', 'apps.create'] })
  })
})

describe('a client for a script', () => {
  test('is made, signs in, does what its role allows, and goes', async () => {
    const body = {
      clientId: 'nightly-check',
      description: 'Looks at the apps at night',
      realmRoles: ['quayside-viewer'],
    }
    const made = await json('/iam/v2/clients', admin, { body })
    expect(made).toMatchObject({
      status: 201,
      body: { clientId: 'nightly-check', serviceAccount: true, roles: ['quayside-viewer'] },
    })
    expect(made.body.secret.length).toBeGreaterThan(20)
    const shown = await json(`/iam/v2/clients/${made.body.id}`, admin)
    expect(shown.body).toMatchObject({ clientId: 'nightly-check' })
    expect(JSON.stringify(shown.body)).not.toContain(made.body.secret)

    const answer = await fetch(made.body.tokenUrl, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'nightly-check',
        client_secret: made.body.secret,
      }),
    })
    expect(answer.status).toBe(200)
    const { access_token } = (await answer.json()) as { access_token: string }
    expect(decodeJwt(access_token).aud).toContain('quayside-api')
    expect((await json('/portal-api/v2/apps', access_token)).status).toBe(200)
    expect((await json('/iam/v2/account', access_token)).body.username).toBe('service-account-nightly-check')
    expect((await json('/iam/v2/users', access_token)).status).toBe(403)

    expect(await json('/iam/v2/clients', admin, { body })).toMatchObject({
      status: 409,
      body: { code: 'iam.client-exists' },
    })
    expect((await json(`/iam/v2/clients/${made.body.id}`, admin, { method: 'DELETE' })).status).toBe(204)
    expect((await json(`/iam/v2/clients/${made.body.id}`, admin)).status).toBe(404)
  })

  test('nobody grants more than they hold, and nothing is left of the attempt', async () => {
    const helper = await world.tokenFor({
      realmRoles: ['quayside-viewer'],
      clientRoles: { 'quayside-portal-ui-iam-users': ['users.create', 'users.delete'] },
    })
    const body = { clientId: 'too-much', realmRoles: ['quayside-admin'] }
    expect(await json('/iam/v2/clients', helper, { body })).toMatchObject({
      status: 403,
      body: { code: 'auth.escalation' },
    })
    const { body: clients } = await json('/iam/v2/clients', admin)
    expect(clients.data.map((client: { clientId: string }) => client.clientId)).not.toContain('too-much')
    const mine = await json('/iam/v2/clients', helper, {
      body: { clientId: 'just-enough', realmRoles: ['quayside-viewer'] },
    })
    expect(mine.status).toBe(201)

    const strong = await json('/iam/v2/clients', admin, {
      body: { clientId: 'strong', realmRoles: ['quayside-admin'] },
    })
    expect((await json(`/iam/v2/clients/${strong.body.id}`, helper, { method: 'DELETE' })).status).toBe(403)
  })

  test('is not deleted by somebody who lacks roles that it defines, or that its account holds by a group or a client', async () => {
    const helper = await world.tokenFor({
      realmRoles: ['quayside-viewer'],
      clientRoles: { 'quayside-portal-ui-iam-users': ['users.create', 'users.delete'] },
    })
    const directory = await world.directory()
    const remove = async (id: string) => (await json(`/iam/v2/clients/${id}`, helper, { method: 'DELETE' })).status
    const make = async (clientId: string) => {
      const made = await json('/iam/v2/clients', helper, { body: { clientId, realmRoles: ['quayside-viewer'] } })
      const account = await directory.get<{ id: string }>(`/clients/${made.body.id}/service-account-user`)
      return { id: made.body.id as string, account: account.id }
    }
    const defining = await make('defining')
    await directory.post(`/clients/${defining.id}/roles`, { name: 'captain' })
    expect(await remove(defining.id)).toBe(403)

    const grouped = await make('grouped')
    await directory.post('/groups', { name: 'strong-scripts' })
    const [group] = await directory.get<{ id: string }[]>('/groups?search=strong-scripts&exact=true')
    const strong = await directory.get<object>('/roles/quayside-admin')
    await directory.post(`/groups/${group?.id}/role-mappings/realm`, [strong])
    await directory.put(`/users/${grouped.account}/groups/${group?.id}`)
    expect(await remove(grouped.id)).toBe(403)
    expect(await remove((await make('plain')).id)).toBe(204)
  })

  test('the portal’s own clients cannot be deleted', async () => {
    const { body } = await json('/iam/v2/clients', admin)
    const main = body.data.find((client: { clientId: string }) => client.clientId === 'quayside-portal-ui')
    expect((await json(`/iam/v2/clients/${main.id}`, admin, { method: 'DELETE' })).status).toBe(403)
  })
})
