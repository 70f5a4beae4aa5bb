import type { ListReply } from '@quayside/contract/http/paging'
import type { AccessRequest } from '@quayside/contract/permissions/access-requests'
import type { PermissionEvent } from '@quayside/contract/permissions/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { World } from '@quayside/embedded/world'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ask,
  grant,
  listOf,
  listPath,
  member,
  newSpace,
  type Person,
  personOf,
  requestsPath,
  spacesPath,
  user,
} from '../testing/team.ts'

let world: World
let owner: Person
let manager: Person
let viewer: Person
let stranger: Person
let space: Space

beforeAll(async () => {
  world = await World.start({ cluster: false })
  owner = await personOf(world, { clientRoles: { 'quayside-portal-ui-apps': ['apps.create'] } })
  ;[manager, viewer, stranger] = (await Promise.all([1, 2, 3].map(() => personOf(world)))) as [Person, Person, Person]
  space = await newSpace(owner, [
    { principal: user(manager), role: 'manager' },
    { principal: user(viewer), role: 'viewer' },
  ])
})
afterAll(() => world?.close())

const mine = async (who: Person) => (await who.call<ListReply<AccessRequest>>(`${requestsPath}/mine`)).body
const toAnswer = async (who: Person) => (await who.call<ListReply<AccessRequest>>(requestsPath)).body
const answer = (who: Person, id: string, body: object) =>
  who.call<AccessRequest>(`${requestsPath}/${id}/answer`, { body })
const reason = 'I take over the shop on Friday'

test('who sees a space asks for more in it, and for one that they do not see as for one that is not there', async () => {
  expect(await ask(stranger, space, { role: 'viewer', reason })).toMatchObject({
    status: 404,
    body: { code: 'space.not-found' },
  })
  for (const [input, field] of [
    [{ role: 'deployer', reason: ' ' }, 'reason'],
    [{ role: 'deployer', reason, hours: 0 }, 'hours'],
    [{ role: 'deployer', reason, hours: 9000 }, 'hours'],
    [{ role: 'deployer', reason: 'x'.repeat(501) }, 'reason'],
  ] as const)
    expect(await ask(viewer, space, input)).toMatchObject({ status: 400, body: { field } })
  expect((await ask(viewer, space, { role: 'king', reason })).body.code).toBe('space-role.not-found')
  expect((await ask(viewer, space, { role: 'viewer', reason })).body.code).toBe('access-request.held')
})

test('a manager grants for as long as was asked for, and it is known why', async () => {
  const { status, body: asked } = await ask(viewer, space, { role: 'deployer', reason, hours: 48 })
  expect([status, asked.state, asked.space?.displayName]).toEqual([201, 'open', space.displayName])
  expect((await ask(viewer, space, { role: 'deployer', reason })).body.code).toBe('access-request.waiting')
  expect((await mine(viewer)).data.map(({ id }) => id)).toEqual([asked.id])
  expect((await toAnswer(manager)).data.map(({ id }) => id)).toEqual([asked.id])
  for (const who of [viewer, stranger]) expect((await toAnswer(who)).data).toEqual([])
  expect((await answer(viewer, asked.id, { decision: 'grant' })).status).toBe(403)
  expect((await answer(stranger, asked.id, { decision: 'grant' })).body.code).toBe('access-request.not-found')
  expect((await answer(stranger, 'nothing', { decision: 'grant' })).body.code).toBe('access-request.not-found')

  const granted = await answer(manager, asked.id, { decision: 'grant', note: 'Mind the till' })
  expect(granted.body).toMatchObject({ state: 'granted', note: 'Mind the till' })
  const entry = (await listOf(manager, space)).find(
    ({ principal, role }) => principal.id === viewer.id && role.id === 'deployer',
  )
  const hours = (Date.parse(entry?.expiresAt ?? '') - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(47.9)
  expect(hours).toBeLessThanOrEqual(48)
  expect((await viewer.call<Space>(`${spacesPath}/${space.id}`)).body.scopes).toContain('space.deploy')
  expect((await answer(manager, asked.id, { decision: 'decline' })).body.code).toBe('access-request.answered')
  const { body } = await manager.call<ListReply<PermissionEvent>>(`${listPath(space)}/history`)
  expect(body.data.slice(0, 2)).toMatchObject([
    { what: 'granted', role: 'Deployer', note: `Asked for: ${reason}` },
    { what: 'requested', role: 'Deployer', note: reason },
  ])
})

test('asked for again and for longer it lasts longer, asked for shorter it stays', async () => {
  const until = async () =>
    Date.parse((await listOf(manager, space)).find(({ role }) => role.id === 'deployer')?.expiresAt ?? '')
  const before = await until()
  for (const [hours, longer] of [
    [1, 0],
    [72, 1],
  ] as const) {
    const { body } = await ask(viewer, space, { role: 'deployer', reason, hours })
    await answer(manager, body.id, { decision: 'grant' })
    expect(Math.sign((await until()) - before)).toBe(longer)
  }
})

test('who answers may give another role for another time, within what they could give otherwise', async () => {
  const here = await newSpace(owner, [
    { principal: user(manager), role: 'manager' },
    { principal: user(viewer), role: 'viewer' },
  ])
  const { body: asked } = await ask(viewer, here, { role: 'manager', reason, hours: null })
  expect((await answer(manager, asked.id, { decision: 'grant', role: 'king' })).body.code).toBe('space-role.not-found')
  expect((await answer(manager, asked.id, { decision: 'grant', hours: 0 })).status).toBe(400)
  const granted = await answer(manager, asked.id, { decision: 'grant', role: 'deployer', hours: 2 })
  expect(granted.body).toMatchObject({ state: 'granted', role: { id: 'deployer' }, hours: 2 })
  const given = (await listOf(manager, here)).filter(({ principal }) => principal.id === viewer.id)
  expect(given.map(({ role }) => role.id).sort()).toEqual(['deployer', 'viewer'])
  const until = Date.parse(given.find(({ role }) => role.id === 'deployer')?.expiresAt ?? '')
  expect((until - Date.now()) / 3_600_000).toBeCloseTo(2, 1)
})

test('it is declined with a word, or withdrawn by who has asked', async () => {
  const first = (await ask(viewer, space, { role: 'manager', reason })).body
  expect((await answer(manager, first.id, { decision: 'decline', note: 'Ask Ada' })).body).toMatchObject({
    state: 'declined',
    note: 'Ask Ada',
  })
  const second = (await ask(viewer, space, { role: 'manager', reason })).body
  const withdraw = (who: Person, id: string) => who.call(`${requestsPath}/${id}`, { method: 'DELETE' })
  expect((await withdraw(manager, second.id)).body).toMatchObject({ code: 'access-request.not-found' })
  expect((await withdraw(viewer, second.id)).status).toBe(204)
  expect((await withdraw(viewer, second.id)).status).toBe(404)
  expect((await withdraw(viewer, first.id)).body).toMatchObject({ code: 'access-request.answered' })
  expect((await toAnswer(manager)).data).toEqual([])
})

test('nobody grants by an answer what they could not grant otherwise', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const here = await newSpace(owner, [
    { principal: user(manager), role: 'manager', expiresAt: until },
    { principal: user(viewer), role: 'viewer' },
  ])
  const { body } = await ask(viewer, here, { role: 'deployer', reason, hours: 5 })
  expect(await answer(manager, body.id, { decision: 'grant' })).toMatchObject({
    status: 403,
    body: { code: 'permission.escalation' },
  })
  expect((await toAnswer(owner)).data.map(({ id }) => id)).toContain(body.id)
})

test('people are called by their names, and a role by its own also when it was deleted since', async () => {
  const directory = await world.directory()
  const [viewer, manager] = [await personOf(world), await personOf(world)]
  await directory.put(`/users/${viewer.id}`, { firstName: 'Ravi', lastName: 'Sandoval' })
  await directory.put(`/users/${manager.id}`, { firstName: 'Ines', lastName: 'Duarte' })
  const admin = await personOf(world, { realmRoles: ['quayside-admin'] })
  const roles = '/portal-api/v3/space-roles'
  const here = await newSpace(owner, [
    { principal: user(manager), role: 'manager' },
    { principal: user(viewer), role: 'viewer' },
  ])
  const define = async (name: string) =>
    (await admin.call<{ id: string }>(roles, { body: { name, scopes: ['space.view', 'app.view'] } })).body
  const [watcher, looker] = [await define('Watcher'), await define('Looker')]
  const asked = (await ask(viewer, here, { role: watcher.id, reason })).body
  await viewer.call(`${requestsPath}/${asked.id}`, { method: 'DELETE' })
  const other = (await ask(viewer, here, { role: looker.id, reason })).body
  expect(await answer(manager, other.id, { decision: 'decline' })).toMatchObject({
    body: { person: { name: 'Ravi Sandoval' }, role: { name: 'Looker' }, answeredByName: 'Ines Duarte' },
  })
  for (const { id } of [watcher, looker]) await admin.call(`${roles}/${id}`, { method: 'DELETE' })
  expect((await mine(viewer)).data.find(({ id }) => id === other.id)?.role.name).toBe('a role that was deleted')
  const history = async (search = '') =>
    (await manager.call<ListReply<PermissionEvent>>(`${listPath(here)}/history?search=${search}`)).body.data
  const lines = (await history()).map(({ what, role, principal, byName }) => [...[what, role, principal.name], byName])
  expect(lines.slice(0, 4)).toEqual([
    ['declined', 'Looker', 'Ravi Sandoval', 'Ines Duarte'],
    ['requested', 'Looker', 'Ravi Sandoval', 'Ravi Sandoval'],
    ['withdrawn', 'Watcher', 'Ravi Sandoval', 'Ravi Sandoval'],
    ['requested', 'Watcher', 'Ravi Sandoval', 'Ravi Sandoval'],
  ])
  // Somebody is found by the name that they have today.
  const { username } = await world.personWith(member)
  const [gil] = await directory.get<{ id: string }[]>(`/users?username=${username}&exact=true`)
  await grant(manager, here, { principal: { type: 'user', id: gil?.id }, role: 'viewer' })
  await directory.put(`/users/${gil?.id}`, { firstName: 'Gil', lastName: 'Amarilla' })
  expect((await history('amarilla')).map(({ what, principal }) => [what, principal.id])).toEqual([['granted', gil?.id]])
})

test('two answers at the same moment are one', async () => {
  for (let round = 0; round < 5; round += 1) {
    const here = await newSpace(owner, [
      { principal: user(manager), role: 'manager' },
      { principal: user(viewer), role: 'viewer' },
    ])
    const { body } = await ask(viewer, here, { role: 'deployer', reason })
    const done = await Promise.all([
      answer(owner, body.id, { decision: 'grant' }),
      answer(manager, body.id, { decision: 'decline' }),
    ])
    expect(done.map(({ status }) => status).sort()).toEqual([200, 409])
    const isGranted = (await listOf(owner, here)).some(({ role }) => role.id === 'deployer')
    expect(isGranted).toBe(done[0]?.status === 200)
  }
})

test('sixty changes of one list at once are answered one after the other, and hold up nobody else', async () => {
  const own = await newSpace(owner)
  const entry = { principal: user(stranger), role: 'viewer' }
  const changes = Array.from({ length: 60 }, () => grant(owner, own, entry))
  const others = Array.from({ length: 20 }, () => viewer.call(`${spacesPath}/${space.id}`))
  expect([...new Set((await Promise.all(others)).map(({ status }) => status))]).toEqual([200])
  const statuses = (await Promise.all(changes)).map(({ status }) => status).sort()
  expect(statuses).toEqual([201, ...Array.from({ length: 59 }, () => 409)])
})

test('whoever loses sight of a space loses sight of what they have asked for there', async () => {
  const here = await newSpace(owner)
  const { body: entry } = await grant(owner, here, { principal: user(stranger), role: 'viewer' })
  await ask(stranger, here, { role: 'manager', reason })
  expect((await mine(stranger)).page.total).toBe(1)
  await owner.call(`${listPath(here)}/${entry.id}`, { method: 'DELETE' })
  expect((await mine(stranger)).page.total).toBe(0)
})

test('who may answer hears of it, who sees nothing of the space does not', async () => {
  const connect = (who: Person) =>
    io(world.url, { path: '/deployment/socket.io', auth: { token: who.token }, forceNew: true })
  const heard = { manager: 0, stranger: 0 }
  const sockets = [manager, stranger].map(connect)
  sockets[0]?.on('changed', () => (heard.manager += 1))
  sockets[1]?.on('changed', () => (heard.stranger += 1))
  for (const socket of sockets) {
    await expect.poll(() => socket.connected).toBe(true)
    socket.emit('watch', { topic: 'requests' })
  }
  const asking = async () => {
    const { body } = await ask(viewer, space, { role: 'manager', reason })
    await viewer.call(`${requestsPath}/${body.id}`, { method: 'DELETE' })
    return heard.manager
  }
  await expect.poll(asking, { interval: 200 }).toBeGreaterThan(1)
  expect(heard.stranger).toBe(0)
  for (const socket of sockets) socket.disconnect()
})
