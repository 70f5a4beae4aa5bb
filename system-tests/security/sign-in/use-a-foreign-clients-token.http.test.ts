import { type Directory, portalAudience } from '@quayside/embedded/directory-client'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let world: World
let directory: Directory
let boss: { username: string; password: string }

beforeAll(async () => {
  world = await World.start({ cluster: false, env: { QUAYSIDE_TRUSTED_CLIENTS: 'partner, narrow' } })
  directory = await world.directory()
  boss = await world.personWith({ realmRoles: ['quayside-admin'] })
})
afterAll(() => world?.close())

const redirectUri = 'http://elsewhere.example/back'

async function makeClient(clientId: string, more: object = {}) {
  await directory.post('/clients', { clientId, publicClient: true, redirectUris: [redirectUri], ...more })
  const [client] = await directory.get<{ id: string }[]>(`/clients?clientId=${clientId}`)
  return client?.id ?? ''
}
const tokensAt = (clientId: string) => signInAsPerson(world, boss, { clientId, redirectUri })
const account = (token: string) => world.api('/iam/v2/account', { token })

describe('an attacker who got an administrator to sign in at another client', () => {
  it('finds no audience of the portal in its tokens, and is refused', async () => {
    await makeClient('shop')
    const { access_token } = await tokensAt('shop')
    expect([decodeJwt(access_token).aud].flat()).not.toContain('quayside-api')
    expect((await account(access_token)).status).toBe(401)
  })

  it('is refused with a token that says the audience, because nobody trusts its client', async () => {
    await makeClient('shop-two', { protocolMappers: [portalAudience] })
    const { access_token } = await tokensAt('shop-two')
    expect([decodeJwt(access_token).aud].flat()).toContain('quayside-api')
    expect((await account(access_token)).status).toBe(401)
  })

  it('is refused with an identity token, of another client and of the portal itself', async () => {
    const { id_token } = await tokensAt('shop')
    expect((await account(id_token)).status).toBe(401)
    expect((await account((await signInAsPerson(world, boss)).id_token)).status).toBe(401)
  })
})

describe('a client that the operator trusts', () => {
  it('may call the portal', async () => {
    await makeClient('partner', { protocolMappers: [portalAudience] })
    const answer = await account((await tokensAt('partner')).access_token)
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as { realmRoles: string[] }).realmRoles).toContain('quayside-admin')
  })

  it('carries no more of an administrator than its scope mappings say, and the directory does not add to it', async () => {
    const id = await makeClient('narrow', { protocolMappers: [portalAudience], fullScopeAllowed: false })
    const viewer = await directory.get('/roles/quayside-viewer')
    const { access_token: bare } = await tokensAt('narrow')
    expect(decodeJwt<{ realm_access: { roles: string[] } }>(bare).realm_access.roles).toEqual([])
    expect(await (await account(bare)).json()).toMatchObject({ realmRoles: [], resourceRoles: {} })
    expect((await world.api('/catalog/v2/items', { token: bare })).status).toBe(403)

    await directory.post(`/clients/${id}/scope-mappings/realm`, [viewer])
    const { access_token: seeing } = await tokensAt('narrow')
    expect((await world.api('/catalog/v2/items', { token: seeing })).status).toBe(200)
    const made = await world.api('/iam/v2/clients', {
      token: seeing,
      body: { clientId: 'mine', realmRoles: ['quayside-viewer'] },
    })
    expect(made.status).toBe(403)
  })

  it('carries what its client scopes say, to those who hold it', async () => {
    const scopeId = await makeScope('operating')
    const operator = await directory.get('/roles/quayside-operator')
    await directory.post(`/client-scopes/${scopeId}/scope-mappings/realm`, [operator])
    const [narrow] = await directory.get<{ id: string }[]>('/clients?clientId=narrow')
    await directory.put(`/clients/${narrow?.id}/default-client-scopes/${scopeId}`)
    const rolesOf = (token: string) =>
      decodeJwt<{ realm_access: { roles: string[] } }>(token).realm_access.roles.filter((name) =>
        /^quayside/.test(name),
      )
    // The administrator does not hold it.
    expect(rolesOf((await tokensAt('narrow')).access_token)).toEqual([])
    const both = await world.personWith({ realmRoles: ['quayside-admin', 'quayside-operator'] })
    const { access_token } = await signInAsPerson(world, both, { clientId: 'narrow', redirectUri })
    expect(rolesOf(access_token)).toEqual(['quayside-operator'])
  })
})

async function makeScope(name: string): Promise<string> {
  await directory.post('/client-scopes', { name, protocol: 'openid-connect' })
  const scopes = await directory.get<{ id: string; name: string }[]>('/client-scopes')
  return scopes.find((scope) => scope.name === name)?.id ?? ''
}
