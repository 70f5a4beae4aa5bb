import type { Directory } from '@quayside/embedded/directory-client'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let world: World
let directory: Directory

beforeAll(async () => {
  world = await World.start({ cluster: false })
  directory = await world.directory()
})
afterAll(() => world?.close())

const spaces = '/portal-api/v2/spaces'
const statusOf = async (token: string, path = spaces) => (await world.api(path, { token })).status
/** Revocation has to reach everything within five seconds. */
const within = { timeout: 5000, interval: 100 }

async function person(realmRoles: string[] = ['quayside-viewer']) {
  const made = await world.personWith({ realmRoles })
  const [user] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${made.username}`)
  return { ...made, id: user?.id ?? '' }
}

describe('a token that was used before', () => {
  it.each([
    ['with openid', 'openid profile'],
    ['without openid', 'profile'],
  ])('%s is refused within five seconds after its session has ended', async (_, scope) => {
    const { id, username, password } = await person()
    const { access_token: token } = await signInAsPerson(world, { username, password }, { scope })
    expect(String(decodeJwt(token).scope).includes('openid')).toBe(scope.includes('openid'))
    expect(await statusOf(token)).toBe(200)
    await directory.post(`/users/${id}/logout`, {})
    await expect.poll(() => statusOf(token), within).toBe(401)
  })

  it('carries a role that was given, and no more one that was taken, within five seconds', async () => {
    const { id, username, password } = await person([])
    const { access_token: token } = await signInAsPerson(world, { username, password })
    expect(await statusOf(token, '/catalog/v2/items')).toBe(403)
    const viewer = await directory.get('/roles/quayside-viewer')
    await directory.post(`/users/${id}/role-mappings/realm`, [viewer])
    await expect.poll(() => statusOf(token, '/catalog/v2/items'), within).toBe(200)
    await directory.remove(`/users/${id}/role-mappings/realm`, [viewer])
    await expect.poll(() => statusOf(token, '/catalog/v2/items'), within).toBe(403)
  })

  it('is refused within five seconds after its person was disabled', async () => {
    const { id, username, password } = await person()
    const { access_token: token } = await signInAsPerson(world, { username, password })
    expect(await statusOf(token)).toBe(200)
    await directory.put(`/users/${id}`, { enabled: false })
    await expect.poll(() => statusOf(token), within).toBe(401)
  })

  it('of a service account is refused within five seconds after its client was deleted', async () => {
    const token = await world.tokenFor({ realmRoles: ['quayside-viewer'] })
    expect(await statusOf(token)).toBe(200)
    const [client] = await directory.get<{ id: string }[]>(`/clients?clientId=${decodeJwt(token).azp}`)
    await directory.remove(`/clients/${client?.id}`)
    await expect.poll(() => statusOf(token), within).toBe(401)
  })

  it('is refused past its expiry', async () => {
    const realm = await directory.get<object>('')
    await directory.put('', { ...realm, accessTokenLifespan: 3 })
    try {
      const token = await world.tokenFor({ realmRoles: ['quayside-viewer'] })
      expect(await statusOf(token)).toBe(200)
      await expect.poll(() => statusOf(token), within).toBe(401)
      expect(await (await world.api(spaces, { token })).json()).toMatchObject({ code: 'auth.expired' })
    } finally {
      await directory.put('', realm)
    }
  })
})
