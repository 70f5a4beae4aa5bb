import type { Directory } from '@quayside/embedded/directory-client'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let world: World
let directory: Directory

beforeAll(async () => {
  world = await World.start({ cluster: false })
  directory = await world.directory()
})
afterAll(() => world?.close())

async function personWith(realmRoles: string[]) {
  const person = await world.personWith({ realmRoles })
  const [user] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${person.username}`)
  const { access_token: token } = await signInAsPerson(world, person)
  return { ...person, id: user?.id ?? '', token }
}

const role = (name: string) => directory.get<object>(`/roles/${name}`)
const strip = async (userId: string, name: string) =>
  directory.remove(`/users/${userId}/role-mappings/realm`, [await role(name)])
const makeClient = (token: string, clientId: string, realmRoles = ['quayside-admin']) =>
  world.api('/iam/v2/clients', { token, body: { clientId, realmRoles } })
const isThere = async (clientId: string) => (await directory.get<object[]>(`/clients?clientId=${clientId}`)).length > 0

describe('an administrator who was stripped', () => {
  it('makes no lasting administrator of a script, not even in the same moment', async () => {
    const boss = await personWith(['quayside-admin'])
    expect((await makeClient(boss.token, 'before')).status).toBe(201)
    await strip(boss.id, 'quayside-admin')
    expect((await makeClient(boss.token, 'at-once')).status).toBe(403)
    expect(await isThere('at-once')).toBe(false)
  })

  it('neither deletes a script of others', async () => {
    const boss = await personWith(['quayside-admin'])
    const made = (await (await makeClient(boss.token, 'of-others')).json()) as { id: string }
    await strip(boss.id, 'quayside-admin')
    const answer = await world.api(`/iam/v2/clients/${made.id}`, { token: boss.token, method: 'DELETE' })
    expect(answer.status).toBe(403)
    expect(await isThere('of-others')).toBe(true)
  })

  it('is refused as signed out when the account was disabled', async () => {
    const boss = await personWith(['quayside-admin'])
    expect((await world.api('/iam/v2/account', { token: boss.token })).status).toBe(200)
    await directory.put(`/users/${boss.id}`, { enabled: false })
    expect((await makeClient(boss.token, 'disabled')).status).toBe(401)
    expect(await isThere('disabled')).toBe(false)
  })

  it('gains nothing from many tries around the moment in which the role goes', async () => {
    const boss = await personWith(['quayside-admin'])
    const names = Array.from({ length: 6 }, (_, index) => `around-${index}`)
    const tries = names.map((name) => makeClient(boss.token, name))
    await strip(boss.id, 'quayside-admin')
    const answers = await Promise.all(tries)
    for (const [index, name] of names.entries()) expect(await isThere(name)).toBe(answers[index]?.status === 201)
    expect((await makeClient(boss.token, 'after')).status).toBe(403)
  })
})

describe('a role that grew', () => {
  it('is not handed out by somebody who holds it by name and not what is in it now', async () => {
    await directory.post('/roles', { name: 'helper' })
    const helper = await role('helper')
    const users = (await directory.get<{ id: string }[]>('/clients?clientId=quayside-portal-ui-iam-users'))[0]
    const create = await directory.get<object>(`/clients/${users?.id}/roles/users.create`)
    const somebody = await personWith(['helper'])
    await directory.post(`/users/${somebody.id}/role-mappings/clients/${users?.id}`, [create])
    const { access_token: token } = await signInAsPerson(world, somebody)
    expect((await makeClient(token, 'small', ['helper'])).status).toBe(201)
    // By another composite, so that the role itself brings them nothing.
    const other = await personWith([])
    await directory.post(`/users/${other.id}/role-mappings/clients/${users?.id}`, [create])
    const admin = await role('quayside-admin')
    await directory.post(`/roles-by-id/${(helper as { id: string }).id}/composites`, [admin])
    const { access_token: otherToken } = await signInAsPerson(world, other)
    expect((await makeClient(otherToken, 'grown', ['helper'])).status).toBe(403)
  })
})

describe('names of the portal’s own clients', () => {
  it.each(['quayside-api', 'quayside-server', 'quayside-app-x', 'account'])('%s cannot be taken', async (clientId) => {
    const boss = await personWith(['quayside-admin'])
    expect(await (await makeClient(boss.token, clientId)).json()).toMatchObject({ status: 400, field: 'clientId' })
  })

  it('accounting is a name like any other', async () => {
    const boss = await personWith(['quayside-admin'])
    expect((await makeClient(boss.token, 'accounting')).status).toBe(201)
  })
})

describe('the last administrator', () => {
  it('cannot be deleted, disabled, stripped, put out of the group or emptied of the role, by any call', async () => {
    const fresh = await World.start({ cluster: false })
    try {
      const realm = await fresh.directory()
      const [admin] = await realm.get<{ id: string }[]>('/users?exact=true&username=admin')
      const [roleOfAdmins] = [await realm.get<{ id: string }>('/roles/quayside-admin')]
      const refused = (call: Promise<unknown>) => expect(call).rejects.toThrow(/last one who does/)
      const tries = () => [
        () => realm.remove(`/users/${admin?.id}`),
        () => realm.put(`/users/${admin?.id}`, { enabled: false }),
        () => realm.remove(`/users/${admin?.id}/role-mappings/realm`, [roleOfAdmins]),
        () => realm.remove('/roles/quayside-admin'),
      ]
      for (const attempt of tries()) await refused(attempt())

      // By a group and a role around it alone.
      await realm.post('/roles', { name: 'owners' })
      const owners = await realm.get<{ id: string }>('/roles/owners')
      await realm.post(`/roles-by-id/${owners.id}/composites`, [roleOfAdmins])
      await realm.post('/groups', { name: 'Board' })
      const [board] = await realm.get<{ id: string }[]>('/groups?search=Board')
      await realm.post(`/groups/${board?.id}/role-mappings/realm`, [owners])
      await realm.put(`/users/${admin?.id}/groups/${board?.id}`)
      await realm.remove(`/users/${admin?.id}/role-mappings/realm`, [roleOfAdmins])
      await refused(realm.remove(`/users/${admin?.id}/groups/${board?.id}`))
      await refused(realm.remove(`/groups/${board?.id}`))
      await refused(realm.remove(`/groups/${board?.id}/role-mappings/realm`, [owners]))
      await refused(realm.remove(`/roles-by-id/${owners.id}/composites`, [roleOfAdmins]))

      // Two at once cannot take the last two.
      const second = await fresh.personWith({ realmRoles: ['quayside-admin'] })
      const [other] = await realm.get<{ id: string }[]>(`/users?exact=true&username=${second.username}`)
      const both = await Promise.allSettled([realm.remove(`/users/${admin?.id}`), realm.remove(`/users/${other?.id}`)])
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    } finally {
      await fresh.close()
    }
  })
})
