import type { Space } from '@quayside/contract/spaces/endpoints'
import { World } from '@quayside/embedded/world'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { grant, listOf, listPath, newSpace, type Person, personOf, spacesPath, user } from './testing/team.ts'

let world: World
let admin: Person
let maker: Person
let looker: Person
let stranger: Person
let space: Space

/** A space as older versions have left it: with nobody on a list. */
beforeAll(async () => {
  world = await World.start({ cluster: false })
  admin = await personOf(world, { realmRoles: ['quayside-admin'] })
  maker = await personOf(world, { clientRoles: { 'quayside-portal-ui-apps': ['apps.create'] } })
  looker = await personOf(world, { clientRoles: { 'quayside-portal-ui-spaces': ['access'] } })
  stranger = await personOf(world, { clientRoles: { 'quayside-portal-ui-catalog-apps': ['catalog.view'] } })
  space = await newSpace(admin)
  const client = new pg.Client(world.databaseUrl)
  await client.connect()
  await client.query(`select set_config('app.tenant', '*', false)`)
  await client.query('delete from space_permission')
  await client.query('delete from permission_event')
  await client.query(`delete from kysely_migration where name like '%permissions/002-existing-spaces'`)
  await client.end()
  await world.restartPortal()
})
afterAll(() => world?.close())

const path = () => `${spacesPath}/${space.id}`

test('a space from before keeps who could see it and who could change it', async () => {
  const scopesOf = async (who: Person) => (await who.call<Space>(path())).body.scopes
  expect(await scopesOf(looker)).toEqual(['space.view', 'app.view'])
  expect(await scopesOf(maker)).toEqual(['space.view', 'space.edit', 'space.delete', 'space.members', 'app.view'])
  expect((await stranger.call(path())).status).toBe(404)
  const renamed = { method: 'PUT', body: { displayName: 'Another name' } }
  expect((await looker.call(path(), renamed)).status).toBe(403)
  expect((await maker.call(path(), renamed)).status).toBe(200)
})

test('its list shows them, and they can be taken off once somebody owns the space', async () => {
  const list = await listOf(maker, space)
  expect(list.map(({ principal, role, owner }) => [principal.id, role.id, owner])).toEqual([
    ['quayside-portal-ui-apps:apps.create', 'viewer', true],
    ['quayside-portal-ui-spaces:access', 'viewer', false],
  ])
  const remove = (id: string | undefined) => admin.call(`${listPath(space)}/${id}`, { method: 'DELETE' })
  expect((await remove(list[0]?.id)).body).toMatchObject({ code: 'permission.last-owner' })
  expect((await grant(admin, space, { principal: user(maker), role: 'manager', owner: true })).status).toBe(201)
  expect((await remove(list[0]?.id)).status).toBe(204)
  expect((await remove(list[1]?.id)).status).toBe(204)
  expect((await looker.call(path())).status).toBe(404)
  expect((await maker.call(path())).status).toBe(200)
})
