import { World } from '@quayside/embedded/world'
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
  test.each(['/iam/v2/account', '/iam/v2/users', '/iam/v3/users', '/iam/v2/groups', '/iam/v2/roles'])(
    'GET %s wants a token',
    async (path) => expect((await world.api(path)).status).toBe(401),
  )

  test.each(['/iam/v2/users', '/iam/v3/users'])('GET %s is closed to a viewer', async (path) => {
    expect((await json(path, viewer)).status).toBe(403)
  })
})

describe('bad input', () => {
  test.each(['groups/count', 'groups/count/members', 'users/count', 'users/count/groups', 'users/profile'])(
    '%s is nobody, whatever the identity server answers at such an address',
    async (path) => expect((await json(`/iam/v2/${path}`, admin)).status).toBe(404),
  )

  test('an order that cannot be had is refused by name', async () => {
    expect(await json('/iam/v3/users?sort.realm=ASC', admin)).toMatchObject({
      status: 400,
      body: { field: 'sort.realm' },
    })
  })

  test.each(['/iam/v2/users/nobody', '/iam/v2/groups/nothing'])('%s is a 404', async (path) => {
    expect((await json(path, admin)).status).toBe(404)
  })
})

describe('the tenant as it starts', () => {
  test('its administrator signs in with the composite role and everything in it', async () => {
    const { body } = await json('/iam/v2/account', admin)
    expect(body.realm).toBe(world.realm)
    expect(body.realmRoles).toContain('quayside-admin')
    expect(body.resourceRoles['quayside-portal-ui-iam-loginsettings']).toEqual([
      'access',
      'audit.view',
      'loginsettings.edit',
      'loginsettings.view',
    ])
    expect(body.resourceRoles['quayside-portal-ui-catalog-apps']).toContain('catalog.apps.deploy.infrastructure.yaml')
  })

  test('a viewer sees, and changes nothing', async () => {
    const { body } = await json('/iam/v2/account', viewer)
    expect(body.resourceRoles['quayside-portal-ui-clusters']).toEqual([
      'access',
      'clusters.events.view',
      'clusters.view',
    ])
    expect(body.resourceRoles['quayside-portal-ui-iam-users']).toBeUndefined()
  })

  test('there is the administrator among the users', async () => {
    const { body } = await json('/iam/v3/users?search=dmi', admin)
    expect(body).toMatchObject({ data: [{ username: 'admin', enabled: true }], page: { total: 1 }, next: null })
    expect((await json(`/iam/v2/users/${body.data[0].id}`, admin)).body.username).toBe('admin')
    expect((await json(`/iam/v2/users/${body.data[0].id}/groups`, admin)).body).toEqual({ data: [] })
  })

  test('users are sorted by the server, page by page', async () => {
    const directory = await world.directory()
    const people = [
      { username: 'sorted-a', firstName: 'Zoë', lastName: 'Adler', email: 'm@sorted.example', enabled: true },
      { username: 'sorted-b', firstName: 'Ana', lastName: 'Zeman', email: 'z@sorted.example', enabled: false },
      { username: 'sorted-c', firstName: 'Mia', lastName: 'Berg', email: 'a@sorted.example', enabled: true },
    ]
    for (const person of people) await directory.post('/users', person)
    const page = async (sort: string, skip: number, limit: number) => {
      const query = `search=sorted-;sort.${sort};page.skip=${skip};page.limit=${limit}`
      const { body } = await json(`/iam/v3/users?${query}`, admin)
      expect(body.page).toEqual({ skip, limit, total: 3 })
      return body.data.map(({ username }: { username: string }) => username.replace('sorted-', ''))
    }
    for (const [sort, wanted] of [
      ['username=DESC', 'cba'],
      ['name=ASC', 'bca'],
      ['name=DESC', 'acb'],
      ['email=ASC', 'cab'],
      ['enabled=ASC', 'bac'],
      ['createdAt=DESC', 'cba'],
    ] as const) {
      const all = [...(await page(sort, 0, 2)), ...(await page(sort, 2, 2))]
      expect(all.join(''), sort).toBe(wanted)
    }
  })

  test('roles are listed with what they are for', async () => {
    const { body } = await json('/iam/v2/roles', admin)
    expect(body.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'quayside-operator',
          composite: true,
          description: 'Sees every space, deploys and operates apps in them, and manages them',
        }),
      ]),
    )
  })

  test('starting again changes nothing', async () => {
    const before = await json('/iam/v2/roles', admin)
    await world.restartPortal()
    expect((await json('/iam/v2/roles', admin)).body).toEqual(before.body)
  })
})
