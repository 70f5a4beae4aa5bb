import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { GroupDetail } from '@quayside/contract/groups/endpoints'
import type { IdentityProvider, ProviderAnswer, ProviderMapping } from '@quayside/contract/identity-providers/endpoints'
import type { LinkedIdentity } from '@quayside/contract/users/credentials'
import type { Directory } from '@quayside/embedded/directory-client'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { callsOf } from '@quayside/embedded/portal-calls'
import { World } from '@quayside/embedded/world'
import { askToken, authRequest, Browser } from '@quayside/embedded-identity/testing/browser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Calls = ReturnType<typeof callsOf>
interface Refused {
  code?: string
  field?: string
  message?: string
}

const providers = '/iam/v3/identity-providers'
const [ABROAD, PASSWORD, SECRET] = ['abroad', 'correct horse 7', 'kept by both 4711']

let world: World
let abroad: Directory
let admin: Calls
let editor: Calls
let onlooker: Calls
/** Address of the provider: another realm of the same identity server. */
let issuer: string
const home = () => `${world.signInUrl}/realms/${world.realm}`

beforeAll(async () => {
  world = await World.start({ cluster: false, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  await (await world.directory('.')).post('', { realm: ABROAD, enabled: true })
  abroad = await world.directory(ABROAD)
  issuer = `${world.signInUrl}/realms/${ABROAD}`
  // Keycloak keeps no attributes that nobody has declared, unless it is told to.
  const profile = await abroad.get<object>('/users/profile').catch(() => undefined)
  if (profile) await abroad.put('/users/profile', { ...profile, unmanagedAttributePolicy: 'ENABLED' })
  const claim = { 'user.attribute': 'team', 'claim.name': 'team', multivalued: 'true' }
  await abroad.post('/clients', {
    ...{ clientId: 'home', secret: SECRET, standardFlowEnabled: true, redirectUris: [`${home()}/broker/*`] },
    protocolMappers: [
      {
        ...{ name: 'team', protocol: 'openid-connect', protocolMapper: 'oidc-usermodel-attribute-mapper' },
        config: { ...claim, 'userinfo.token.claim': 'true', 'id.token.claim': 'true' },
      },
    ],
  })
  admin = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const login = ['access', 'loginsettings.view']
  onlooker = callsOf(world, await world.tokenFor({ clientRoles: { 'quayside-portal-ui-iam-loginsettings': login } }))
  const edits = { 'quayside-portal-ui-iam-loginsettings': [...login, 'loginsettings.edit'] }
  editor = callsOf(world, await world.tokenFor({ clientRoles: edits }))
})
afterAll(() => world?.close())

const input = (more: object = {}) => ({
  ...{ id: 'harbour', name: 'Harbour ID', address: issuer, clientId: 'home', clientSecret: SECRET, trustEmail: true },
  ...more,
})
const add = (more: object = {}, calls = admin) =>
  calls.call<IdentityProvider & Refused>(providers, { body: input(more) })
const change = (id: string, body: object, calls = admin) =>
  calls.call<IdentityProvider & Refused>(`${providers}/${id}`, { method: 'PUT', body })
const remove = (id: string, calls = admin) => calls.call<Refused>(`${providers}/${id}`, { method: 'DELETE' })

async function person(username: string, more: object = {}) {
  await abroad.post('/users', {
    ...{ username, email: `${username}@abroad.example`, emailVerified: true, firstName: 'Given', lastName: 'Family' },
    ...{ enabled: true, credentials: [{ type: 'password', value: PASSWORD, temporary: false }], ...more },
  })
  const [made] = await abroad.get<{ id: string }[]>(`/users?exact=true&username=${username}`)
  return made?.id ?? ''
}

/** Signs in to the portal by the provider, as a browser does. */
async function signIn(username: string, alias = 'harbour') {
  const browser = new Browser()
  const redirectUri = `${world.url}/en/`
  const request = authRequest(home(), { client_id: 'quayside-portal-ui', redirect_uri: redirectUri })
  const page = await browser.follow(request.url, home())
  const links = [...(await page.response.text()).matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
  const link = links.find((href) => href === `?provider=${alias}` || href.includes(`/broker/${alias}/login`))
  if (link === undefined) return { text: `no way to ${alias}` }
  const left = await browser.follow(new URL(link.replaceAll('&amp;', '&'), page.url).href, `${world.signInUrl}/`)
  const there = { url: left.url, text: await left.response.text() }
  if (!left.url.startsWith(issuer)) return { text: there.text }
  const back = await browser.submit(there, `${world.signInUrl}/`, { username, password: PASSWORD })
  const code = new URL(back.url).searchParams.get('code')
  if (!back.url.startsWith(redirectUri) || code === null) return { text: await back.response.text() }
  const { body } = await askToken(home(), {
    ...{ grant_type: 'authorization_code', client_id: 'quayside-portal-ui', redirect_uri: redirectUri, code },
    code_verifier: request.verifier,
  })
  return { ...callsOf(world, body.access_token ?? ''), text: '' }
}

describe('the door', () => {
  const calls: [string, string, object?][] = [
    ['GET', providers],
    ['GET', `${providers}/none`],
    ['POST', `${providers}/discover`, { address: 'https://login.invalid' }],
    ['POST', providers, { id: 'x', name: 'X', address: 'https://login.invalid', clientId: 'x', clientSecret: 'x' }],
    ['PUT', `${providers}/none`, { enabled: false }],
    ['DELETE', `${providers}/none`],
    ['POST', `${providers}/none/test`],
    ['GET', `${providers}/none/mappings`],
    ['POST', `${providers}/none/mappings`, { kind: 'attribute', claim: 'a', attribute: 'b' }],
    ['DELETE', `${providers}/none/mappings/x`],
  ]
  const options = (method: string, body?: object) => ({ method, ...(body ? { body } : {}) })

  test.each(calls)('%s %s wants a token, and the right', async (method, path, body) => {
    expect((await callsOf(world, '').call(path, options(method, body))).status).toBe(401)
    const { status } = await onlooker.call(path, options(method, body))
    expect(status).toBe(method !== 'GET' ? 403 : path === providers ? 200 : 404)
  })

  test('is open for changes to administrators alone: whoever runs a provider could be anybody who is linked to it', async () => {
    expect(await add({}, editor)).toMatchObject({ status: 403, body: { code: 'auth.escalation' } })
  })

  test.each<[object, string]>([
    [{ id: 'Not An Id' }, 'id'],
    [{ id: '-a' }, 'id'],
    [{ name: '' }, 'name'],
    [{ address: 'login.example.org' }, 'address'],
    [{ address: 'https://u:p@login.example.org' }, 'address'],
    [{ clientId: '' }, 'clientId'],
    [{ clientSecret: '' }, 'clientSecret'],
    [{ clientSecret: 'a\nb' }, 'clientSecret'],
    [{ scopes: ['a b'] }, 'scopes.0'],
    [{ more: true }, 'body'],
  ])('%j is refused by %s', async (more, field) => {
    expect(await add(more)).toMatchObject({ status: 400, body: { field } })
  })
})

describe('an address', () => {
  const discover = (address: string) =>
    admin.call<ProviderAnswer & Refused>(`${providers}/discover`, { body: { address } })

  test('says how people sign in there', async () => {
    for (const address of [issuer, `${issuer}/`, `${issuer}/.well-known/openid-configuration`])
      expect(await discover(address)).toMatchObject({
        status: 200,
        body: { issuer, tokenAddress: `${issuer}/protocol/openid-connect/token` },
      })
  })

  test.each([
    ['/realms/nowhere', process.env.KEYCLOAK_URL ? 'does not describe' : 'status 404'],
    ['/portal-api/v1/limits?', ''],
  ])('%s is answered in plain words', async (path, words) => {
    const { status, body } = await discover(`${path.startsWith('/realms') ? world.signInUrl : world.url}${path}`)
    expect([400, 409]).toContain(status)
    expect(body).toMatchObject({ field: 'address' })
    expect(body.message).toContain(words)
  })

  test('that is slow holds up nobody else', async () => {
    const asked = Promise.withResolvers<void>()
    const slow = createServer((req, res) => {
      asked.resolve()
      req.on('close', () => res.end())
    })
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
    let isAnswered = false
    const adding = add({ id: 'slow', address }).finally(() => (isAnswered = true))
    await asked.promise
    await admin.good('/iam/v2/groups', { body: { name: 'Meanwhile' } })
    expect(isAnswered).toBe(false)
    slow.closeAllConnections()
    slow.close()
    expect(await adding).toMatchObject({ status: 409, body: { code: 'iam.provider-silent', field: 'address' } })
  })

  test('that calls itself something else is refused', async () => {
    const description = await (await fetch(`${issuer}/.well-known/openid-configuration`)).text()
    const liar = createServer((_req, res) => res.setHeader('content-type', 'application/json').end(description))
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
    const { status, body } = await discover(`http://127.0.0.1:${(liar.address() as AddressInfo).port}`)
    liar.close()
    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'iam.provider-silent', field: 'address' })
    expect(body.message).toContain('calls itself')
  })
})

describe('a provider', () => {
  test('is added by its address, and its secret is told to nobody', async () => {
    const { status, body } = await add({ scopes: ['groups'] })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toMatchObject({
      ...{ id: 'harbour', name: 'Harbour ID', kind: 'oidc', enabled: true, issuer, clientId: 'home', hasSecret: true },
      ...{ scopes: ['groups'], trustEmail: true, linkOnly: false, order: null },
      redirectAddress: `${home()}/broker/harbour/endpoint`,
    })
    expect(JSON.stringify(await admin.good(providers))).not.toContain(SECRET)
    expect(await add()).toMatchObject({ status: 409, body: { code: 'iam.provider-exists', field: 'id' } })
    expect(await change('harbour', { scopes: [] })).toMatchObject({ status: 200, body: { scopes: [] } })
  })

  test('signs people in, and their account says so', async () => {
    await person('olga')
    const olga = await signIn('olga')
    expect(olga.text).toBe('')
    const { data } = await (olga as Calls).good<{ data: LinkedIdentity[] }>('/iam/v3/account/identities')
    expect(data).toEqual([{ id: 'harbour', name: 'Harbour ID', username: 'olga' }])
  })

  test('is tested again, and says what has changed there', async () => {
    const test = await admin.good<{ changed: string[] }>(`${providers}/harbour/test`, { method: 'POST' })
    expect(test.changed).toEqual([])
  })

  test('keeps the addresses and the client that it was added with', async () => {
    for (const body of [{ address: 'https://evil.example' }, { clientId: 'other' }, { issuer: 'https://evil.example' }])
      expect((await change('harbour', body)).status).toBe(400)
  })

  test('keeps its place, and is off without losing anything', async () => {
    await add({ id: 'second', name: 'Second', enabled: false })
    await change('second', { order: 1 })
    await change('harbour', { order: 2 })
    const { data } = await admin.good<{ data: IdentityProvider[] }>(providers)
    expect(data.map(({ id }) => id)).toEqual(['second', 'harbour'])
    expect(await change('harbour', { enabled: false })).toMatchObject({ status: 200, body: { enabled: false } })
    await expect(signIn('olga')).resolves.toMatchObject({ text: 'no way to harbour' })
    expect(await change('harbour', { enabled: true })).toMatchObject({ status: 200, body: { hasSecret: true } })
    expect((await signIn('olga')).text).toBe('')
    expect((await remove('second')).status).toBe(204)
    expect(await remove('second')).toMatchObject({ status: 404, body: { code: 'iam.provider-not-found' } })
  })
})

describe('a mapping', () => {
  const mappings = `${providers}/harbour/mappings`
  const make = (body: object, calls = admin) => calls.call<ProviderMapping & Refused>(mappings, { body })
  const group = (name: string) => admin.good<GroupDetail>('/iam/v2/groups', { body: { name } })

  test('puts who has the claim into a group, also below another, and out of it again', async () => {
    const crew = await group('Crew')
    const pilots = await admin.good<GroupDetail>(`/iam/v2/groups/${crew.id}/children`, { body: { name: 'Pilots' } })
    const made = await make({ kind: 'group', claim: 'team', value: 'pilots', groupId: pilots.id })
    expect(made, JSON.stringify(made.body)).toMatchObject({
      status: 201,
      body: { kind: 'group', claim: 'team', value: 'pilots', group: { id: pilots.id, path: '/Crew/Pilots' } },
    })
    const again = { kind: 'group', claim: 'team', value: 'pilots', groupId: pilots.id }
    expect(await make(again)).toMatchObject({ status: 409, body: { code: 'iam.mapping-exists' } })
    const id = await person('pia', { attributes: { team: ['pilots', 'others'] } })
    const groupsOf = async () => {
      const pia = (await signIn('pia')) as Calls
      return (await pia.good<{ groups: string[] }>('/iam/v2/account')).groups
    }
    expect(await groupsOf()).toEqual(['/Crew/Pilots'])
    // A group that has moved is the same group.
    await admin.good(`/iam/v3/groups/${pilots.id}/top`, { method: 'POST' })
    expect((await admin.good<{ data: ProviderMapping[] }>(mappings)).data[0]?.group?.path).toBe('/Pilots')
    expect(await groupsOf()).toEqual(['/Pilots'])
    const known = await abroad.get<object>(`/users/${id}`)
    await abroad.put(`/users/${id}`, { ...known, attributes: { team: ['others'] } })
    expect(await groupsOf()).toEqual([])
    const gone = `${mappings}/${made.body.id}`
    expect((await admin.call(gone, { method: 'DELETE' })).status).toBe(204)
    expect(await admin.call(gone, { method: 'DELETE' })).toMatchObject({ body: { code: 'iam.mapping-not-found' } })
  })

  test('sets names and attributes, but none of the portal and no user name', async () => {
    expect((await make({ kind: 'attribute', claim: 'team', attribute: 'crew' })).status).toBe(201)
    for (const attribute of ['username', 'quayside.last-holder-stays', 'a b'])
      expect(await make({ kind: 'attribute', claim: 'team', attribute })).toMatchObject({ status: 400 })
  })

  test('of a group that gives more than its maker holds is refused', async () => {
    const directory = await world.directory()
    const captains = await group('Captains')
    const [client] = await directory.get<{ id: string }[]>('/clients?clientId=quayside-portal-ui-clusters')
    await directory.post(`/clients/${client?.id}/roles`, { name: 'beyond' })
    const beyond = await directory.get<object>(`/clients/${client?.id}/roles/beyond`)
    await directory.post(`/groups/${captains.id}/role-mappings/clients/${client?.id}`, [beyond])
    const wanted = { kind: 'group', claim: 'team', value: 'captains', groupId: captains.id }
    expect(await make(wanted)).toMatchObject({ status: 403, body: { code: 'auth.escalation', field: 'groupId' } })
    const administrators = await group('Administrators')
    const [role] = (await directory.get<{ id: string; name: string }[]>('/roles?search=quayside-admin')).filter(
      ({ name }) => name === 'quayside-admin',
    )
    await directory.post(`/groups/${administrators.id}/role-mappings/realm`, [role])
    const asEditor = { kind: 'group', claim: 'team', value: 'x', groupId: administrators.id }
    expect(await make(asEditor, editor)).toMatchObject({ status: 403, body: { code: 'auth.escalation' } })
    expect(await make({ ...asEditor, groupId: 'nothing' })).toMatchObject({ body: { code: 'iam.group-not-found' } })
  })
})

test('a mapping leads to the group that was judged, and to none of the same path', async () => {
  const mappings = `${providers}/harbour/mappings`
  const group = (name: string) => admin.good<GroupDetail>('/iam/v2/groups', { body: { name } })
  const child = (id: string) => admin.call<GroupDetail>(`/iam/v2/groups/${id}/children`, { body: { name: 'heads' } })
  const mapped = (groupId: string) =>
    admin.call<Refused>(mappings, { body: { kind: 'group', claim: 'team', value: 'heads', groupId } })
  const heads = await group('ops/heads')
  if (!process.env.KEYCLOAK_URL) {
    expect(await admin.call('/iam/v2/groups', { body: { name: 'ops~' } })).toMatchObject({
      body: { code: 'iam.refused' },
    })
    const made = await mapped(heads.id)
    expect(made).toMatchObject({ status: 201, body: { group: { id: heads.id } } })
    // A "~" elsewhere stands for itself.
    const tilde = await group('o~ps')
    expect(
      (
        await admin.call<ProviderMapping>(mappings, {
          body: { kind: 'group', claim: 'team', value: 'o', groupId: tilde.id },
        })
      ).body,
    ).toMatchObject({ group: { id: tilde.id } })
    return
  }
  const below = await child((await group('ops')).id)
  expect(await mapped(below.body.id)).toMatchObject({ status: 400, body: { field: 'groupId' } })
})

describe('the link of somebody else', () => {
  const linkedOf = async (username: string) => {
    await person(username)
    expect((await signIn(username)).text).toBe('')
    const [user] = await (await world.directory()).get<{ id: string }[]>(`/users?exact=true&username=${username}`)
    const id = user?.id ?? ''
    const links = async () => (await admin.good<{ data: LinkedIdentity[] }>(`/iam/v3/users/${id}/identities`)).data
    return { id, links }
  }

  test('is listed, and taken away together with the sessions that may have begun with it', async () => {
    const { id, links } = await linkedOf('alma')
    const alma = (await signIn('alma')) as Calls
    expect(await links()).toEqual([{ id: 'harbour', name: 'Harbour ID', username: 'alma' }])
    const path = `/iam/v3/users/${id}/identities/harbour`
    expect((await onlooker.call(path, { method: 'DELETE' })).status).toBe(403)
    expect((await admin.call(path, { method: 'DELETE' })).status).toBe(204)
    expect(await links()).toEqual([])
    expect((await alma.call('/iam/v2/account')).status).toBe(401)
    expect(await admin.call(path, { method: 'DELETE' })).toMatchObject({
      ...{ status: 404, body: { code: 'iam.link-not-found', field: 'provider' } },
    })
  })

  test('ends with a password that somebody sets for them, so that its owner notices, and nobody keeps it', async () => {
    const { id, links } = await linkedOf('berta')
    const body = { value: PASSWORD, temporary: false }
    await admin.good(`/iam/v2/users/${id}/reset-password`, { method: 'PUT', body })
    expect(await links()).toEqual([])
    expect((await signIn('berta')).text).not.toBe('')
  })
})

describe('somebody whose only way in it is', () => {
  test('does not unlink it before there is another', async () => {
    await person('nils')
    const nils = (await signIn('nils')) as Calls
    const unlink = () => nils.call('/iam/v3/account/identities/harbour', { method: 'DELETE' })
    expect(await unlink()).toMatchObject({ status: 409, body: { code: 'iam.only-way-in' } })
    const directory = await world.directory()
    const [user] = await directory.get<{ id: string }[]>('/users?exact=true&username=nils')
    await directory.put(`/users/${user?.id}/reset-password`, { type: 'password', value: PASSWORD, temporary: false })
    const again = await signInAsPerson(world, { username: 'nils', password: PASSWORD })
    const calls = callsOf(world, again.access_token)
    const path = '/iam/v3/account/identities/harbour'
    expect((await calls.call(path, { method: 'DELETE' })).status).toBe(204)
    expect(await calls.call(path, { method: 'DELETE' })).toMatchObject({ body: { code: 'iam.link-not-found' } })
  })

  test('neither switches it off nor deletes it', async () => {
    await person('vera')
    await signIn('vera')
    const directory = await world.directory()
    const [user] = await directory.get<{ id: string }[]>('/users?exact=true&username=vera')
    const roles = await directory.get<{ name: string }[]>('/roles?search=quayside-admin')
    const wanted = roles.filter(({ name }) => name === 'quayside-admin')
    await directory.post(`/users/${user?.id}/role-mappings/realm`, wanted)
    const vera = (await signIn('vera')) as Calls
    const refused = { status: 409, body: { code: 'iam.only-way-in' } }
    expect(await change('harbour', { enabled: false }, vera)).toMatchObject(refused)
    expect(await remove('harbour', vera)).toMatchObject(refused)
    expect((await remove('harbour')).status).toBe(204)
  })
})
