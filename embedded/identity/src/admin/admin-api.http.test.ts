import KeycloakAdminClient, { NetworkError } from '@keycloak/keycloak-admin-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askToken } from '../testing/browser.ts'
import { type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture.ts'

const realm = 'harbour'
let fixture: IdentityFixture
let admin: KeycloakAdminClient

beforeAll(async () => {
  fixture = await startIdentityFixture()
  admin = fixture.admin
  await admin.realms.create({ realm, enabled: true, displayName: 'Harbour' })
})

afterAll(async () => {
  expect(fixture.reported).toEqual([])
  await fixture[Symbol.asyncDispose]()
})

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (problem: unknown) => problem,
  )
  if (!(error instanceof NetworkError)) throw new Error(`expected a refusal, got ${String(error)}`)
  return { status: error.response.status, body: error.responseData }
}

const roleRef = (role: { id?: string; name?: string } | undefined | null) => ({
  id: role?.id ?? '',
  name: role?.name ?? '',
})

describe('realms', () => {
  test('settings come back as they were sent, merged over the defaults', async () => {
    await admin.realms.update(
      { realm },
      {
        passwordPolicy: 'length(10) and digits(2)',
        bruteForceProtected: true,
        browserSecurityHeaders: { xFrameOptions: 'DENY' },
        attributes: { tone: 'calm' },
      },
    )
    const found = await admin.realms.findOne({ realm })
    expect(found).toMatchObject({
      realm,
      passwordPolicy: 'length(10) and digits(2)',
      bruteForceProtected: true,
      failureFactor: 30,
      otpPolicyType: 'totp',
      attributes: { tone: 'calm' },
      defaultRole: { name: `default-roles-${realm}` },
    })
    expect(found?.browserSecurityHeaders).toMatchObject({ xFrameOptions: 'DENY', xContentTypeOptions: 'nosniff' })
    await admin.realms.update({ realm }, { passwordPolicy: '' })
  })

  test('a second realm of the same name is a conflict', async () => {
    expect((await refusal(admin.realms.create({ realm }))).status).toBe(409)
  })

  test.each([
    [{ passwordPolicy: 'wishful(1)' }],
    [{ failureFactor: -1 }],
    [{ enabled: 'yes' as unknown as boolean }],
    [{ passwordPolicy: 'regexPattern([)' }],
  ])('%j is refused', async (change) => {
    expect((await refusal(admin.realms.update({ realm }, change))).status).toBe(400)
  })

  test.each([
    ['duplicateEmailsAllowed', true],
    ['quickLoginCheckMilliSeconds', 1000],
    ['ssoSessionIdleTimeoutRememberMe', 60],
    ['otpPolicyAlgorithm', 'HmacMD5'],
    ['otpPolicyDigits', 7],
    ['otpPolicyLookAheadWindow', 1_000_000],
    ['bruteForceStrategy', 'GUESS'],
  ])('%s %j cannot be obeyed: it is refused by its name and not kept', async (name, value) => {
    const before = await admin.realms.findOne({ realm })
    const refused = await refusal(admin.realms.update({ realm }, { [name]: value }))
    const body = { errorMessage: expect.stringMatching(new RegExp(`^${name} must be`)) }
    expect(refused).toEqual({ status: 400, body })
    expect(await admin.realms.findOne({ realm })).toEqual(before)
  })

  test.each([
    ['referrerPolicy', 'no-referrer'],
    ['xPoweredBy', 'tea'],
    ['xFrameOptions', 'DENY\r\nset-cookie: a=b'],
  ])('the header %s: %j is refused by its name', async (name, value) => {
    const { body } = await refusal(admin.realms.update({ realm }, { browserSecurityHeaders: { [name]: value } }))
    expect(body).toEqual({ errorMessage: expect.stringMatching(new RegExp(`^${name} `)) })
  })

  test('what is there can be sent back whole', async () => {
    const before = await admin.realms.findOne({ realm })
    await admin.realms.update({ realm }, before ?? {})
    expect(await admin.realms.findOne({ realm })).toEqual(before)
  })

  test('a realm that is not there', async () => {
    expect(await admin.realms.findOne({ realm: 'nowhere' })).toBeNull()
  })
})

describe('users', () => {
  test('are made, found, changed and removed', async () => {
    const { id } = await admin.users.create({
      realm,
      username: 'Mara',
      email: 'Mara@demo.example',
      firstName: 'Mara',
      lastName: 'Demo',
      enabled: true,
      attributes: { team: ['a', 'b'] },
    })
    expect(await admin.users.findOne({ realm, id })).toMatchObject({
      username: 'mara',
      email: 'mara@demo.example',
      enabled: true,
      attributes: { team: ['a', 'b'] },
    })
    await admin.users.update({ realm, id }, { firstName: 'Marah' })
    expect(await admin.users.findOne({ realm, id })).toMatchObject({
      firstName: 'Marah',
      lastName: 'Demo',
      attributes: { team: ['a', 'b'] },
    })
    await admin.users.del({ realm, id })
    expect(await admin.users.findOne({ realm, id })).toBeNull()
  })

  test('a taken name or address is a conflict that says which', async () => {
    await admin.users.create({ realm, username: 'first', email: 'first@demo.example', enabled: true })
    expect(await refusal(admin.users.create({ realm, username: 'FIRST' }))).toEqual({
      status: 409,
      body: { errorMessage: 'User exists with same username' },
    })
    expect(await refusal(admin.users.create({ realm, username: 'second', email: 'first@demo.example' }))).toEqual({
      status: 409,
      body: { errorMessage: 'User exists with same email' },
    })
  })

  test('search looks at the start of a word, anywhere with a star, exactly on request', async () => {
    for (const name of ['search-ann', 'search-anna', 'under_score'])
      await admin.users.create({ realm, username: name, enabled: name !== 'search-anna', firstName: 'Zoe' })
    const names = async (query: object) => (await admin.users.find({ realm, ...query })).map((user) => user.username)
    expect(await names({ search: 'search-' })).toEqual(['search-ann', 'search-anna'])
    expect(await names({ search: 'ann' })).toEqual([])
    expect(await names({ search: '*ann*' })).toEqual(['search-ann', 'search-anna'])
    expect(await names({ search: '"search-ann"' })).toEqual(['search-ann'])
    expect(await names({ username: 'search-ann', exact: true })).toEqual(['search-ann'])
    expect(await names({ search: '*_*' })).toEqual(['under_score'])
    expect(await names({ search: 'zoe', enabled: true })).toEqual(['search-ann', 'under_score'])
    expect(await names({ search: 'zoe', first: 1, max: 1 })).toEqual(['search-anna'])
    expect(await admin.users.count({ realm, search: 'zoe' })).toBe(3)
  })

  test('are found by an attribute', async () => {
    await admin.users.create({
      realm,
      username: 'crane-driver',
      enabled: true,
      attributes: { 'job title': ['crane driver'] },
    })
    expect((await admin.users.find({ realm, q: '"job title":"crane driver"' })).map((user) => user.username)).toEqual([
      'crane-driver',
    ])
  })

  test('a password has to satisfy the policy, and a former one may not come back', async () => {
    await admin.realms.update({ realm }, { passwordPolicy: 'length(10) and digits(1) and passwordHistory(3)' })
    const { id } = await admin.users.create({ realm, username: 'keys', enabled: true })
    const set = (value: string) =>
      admin.users.resetPassword({ realm, id, credential: { type: 'password', value, temporary: false } })
    expect(await refusal(set('short1'))).toEqual({
      status: 400,
      body: { error: 'invalidPasswordMinLengthMessage', error_description: 'Invalid password: minimum length 10.' },
    })
    await set('long enough 1')
    await set('long enough 2')
    expect(await refusal(set('long enough 1'))).toMatchObject({
      status: 400,
      body: { error: 'invalidPasswordHistoryMessage' },
    })
    expect(await admin.users.getCredentials({ realm, id })).toMatchObject([{ type: 'password' }])
    expect(JSON.stringify(await admin.users.getCredentials({ realm, id }))).not.toContain('$argon2')
    await admin.users.resetPassword({
      realm,
      id,
      credential: { type: 'password', value: 'long enough 3', temporary: true },
    })
    expect((await admin.users.findOne({ realm, id }))?.requiredActions).toEqual(['UPDATE_PASSWORD'])
    await admin.realms.update({ realm }, { passwordPolicy: '' })
  })
})

describe('groups and roles', () => {
  test('a role given to a parent group is in the members’ effective roles, through composites too', async () => {
    const parent = await admin.groups.create({ realm, name: 'Platform' })
    const child = await admin.groups.createChildGroup({ realm, id: parent.id }, { name: 'Operators' })
    await admin.roles.create({ realm, name: 'outer', description: 'holds another' })
    await admin.roles.create({ realm, name: 'inner' })
    const outer = await admin.roles.findOneByName({ realm, name: 'outer' })
    const inner = await admin.roles.findOneByName({ realm, name: 'inner' })
    await admin.roles.createComposite({ realm, roleId: outer?.id ?? '' }, [roleRef(inner)])
    expect((await admin.roles.getCompositeRoles({ realm, id: outer?.id ?? '' })).map((role) => role.name)).toEqual([
      'inner',
    ])
    await admin.groups.addRealmRoleMappings({ realm, id: parent.id, roles: [roleRef(outer)] })
    const { id } = await admin.users.create({ realm, username: 'tobias', enabled: true })
    await admin.users.addToGroup({ realm, id, groupId: child.id })
    const effective = (await admin.users.listCompositeRealmRoleMappings({ realm, id })).map((role) => role.name)
    expect(effective).toEqual(expect.arrayContaining(['outer', 'inner', `default-roles-${realm}`]))
    expect((await admin.users.listRealmRoleMappings({ realm, id })).map((role) => role.name)).toEqual([
      `default-roles-${realm}`,
    ])
    expect((await admin.users.listAvailableRealmRoleMappings({ realm, id })).map((role) => role.name)).toContain(
      'outer',
    )
    expect((await admin.groups.listMembers({ realm, id: child.id })).map((user) => user.username)).toEqual(['tobias'])
    expect((await admin.users.listGroups({ realm, id })).map((group) => group.path)).toEqual(['/Platform/Operators'])
  })

  test('the tree, level by level and by search', async () => {
    const [platform] = await admin.groups.find({ realm, search: 'Oper' })
    expect(platform).toMatchObject({
      name: 'Platform',
      subGroupCount: 1,
      subGroups: [{ name: 'Operators', path: '/Platform/Operators' }],
    })
    const children = await admin.groups.listSubGroups({ realm, parentId: platform?.id ?? '' })
    expect(children.map((group) => group.name)).toEqual(['Operators'])
    expect(await admin.groups.count({ realm })).toEqual({ count: 2 })
    expect(await admin.groups.count({ realm, top: true })).toEqual({ count: 1 })
    expect((await refusal(admin.groups.create({ realm, name: 'Platform' }))).status).toBe(409)
  })

  test('a group moves, but never below itself', async () => {
    const a = await admin.groups.create({ realm, name: 'a' })
    const b = await admin.groups.create({ realm, name: 'b' })
    const move = async (group: { id: string }, below: { id: string }) =>
      fetch(`${fixture.url}/admin/realms/${realm}/groups/${below.id}/children`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await admin.getAccessToken()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ id: group.id }),
      })
    expect((await move(b, a)).status).toBe(204)
    expect((await admin.groups.findOne({ realm, id: b.id }))?.path).toBe('/a/b')
    expect((await move(a, b)).status).toBe(400)
    await admin.groups.del({ realm, id: a.id })
    expect(await admin.groups.findOne({ realm, id: b.id })).toBeNull()
  })

  test('new users get the default group', async () => {
    const group = await admin.groups.create({ realm, name: 'Everybody' })
    await admin.realms.addDefaultGroup({ realm, id: group.id })
    expect((await admin.realms.getDefaultGroups({ realm })).map(({ name }) => name)).toEqual(['Everybody'])
    const { id } = await admin.users.create({ realm, username: 'newcomer', enabled: true })
    expect((await admin.users.listGroups({ realm, id })).map(({ name }) => name)).toEqual(['Everybody'])
    await admin.realms.removeDefaultGroup({ realm, id: group.id })
    expect(await admin.realms.getDefaultGroups({ realm })).toEqual([])
  })

  test('client roles: made, found, listed with their holders, renamed, removed', async () => {
    const { id: client } = await admin.clients.create({
      realm,
      clientId: 'shop',
      publicClient: true,
      redirectUris: ['http://shop.example/'],
    })
    await admin.clients.createRole({ realm, id: client, name: 'shop.view', description: 'See the shop' })
    const role = await admin.clients.findRole({ realm, id: client, roleName: 'shop.view' })
    expect(role).toMatchObject({ clientRole: true, containerId: client })
    const { id } = await admin.users.create({ realm, username: 'buyer', enabled: true })
    await admin.users.addClientRoleMappings({ realm, id, clientUniqueId: client, roles: [roleRef(role)] })
    expect(
      (await admin.clients.findUsersWithRole({ realm, id: client, roleName: 'shop.view' })).map(
        (user) => user.username,
      ),
    ).toEqual(['buyer'])
    expect(await admin.users.listRoleMappings({ realm, id })).toMatchObject({
      clientMappings: { shop: { mappings: [{ name: 'shop.view' }] } },
    })
    await admin.roles.updateById({ realm, id: role?.id ?? '' }, { name: 'shop.read' })
    expect(await admin.clients.findRole({ realm, id: client, roleName: 'shop.read' })).toMatchObject({ id: role?.id })
    await admin.users.delClientRoleMappings({
      realm,
      id,
      clientUniqueId: client,
      roles: [{ id: role?.id ?? '', name: 'shop.read' }],
    })
    expect(await admin.users.listClientRoleMappings({ realm, id, clientUniqueId: client })).toEqual([])
    await admin.clients.delRole({ realm, id: client, roleName: 'shop.read' })
    expect(await admin.clients.listRoles({ realm, id: client })).toEqual([])
  })

  test('a role of another realm cannot be given', async () => {
    await admin.realms.create({ realm: 'elsewhere', enabled: true })
    await admin.roles.create({ realm: 'elsewhere', name: 'foreign' })
    const foreign = await admin.roles.findOneByName({ realm: 'elsewhere', name: 'foreign' })
    const { id } = await admin.users.create({ realm, username: 'local', enabled: true })
    expect((await refusal(admin.users.addRealmRoleMappings({ realm, id, roles: [roleRef(foreign)] }))).status).toBe(404)
  })
})

describe('clients', () => {
  test('secrets are kept, shown and renewed; the service account follows the switch', async () => {
    const { id } = await admin.clients.create({
      realm,
      clientId: 'robot',
      serviceAccountsEnabled: true,
      secret: 'first-secret-of-robot',
    })
    expect((await admin.clients.getClientSecret({ realm, id })).value).toBe('first-secret-of-robot')
    const fresh = (await admin.clients.generateNewClientSecret({ realm, id })).value ?? ''
    const ask = (secret: string) =>
      askToken(`${fixture.publicUrl}/realms/${realm}`, {
        grant_type: 'client_credentials',
        client_id: 'robot',
        client_secret: secret,
      })
    expect((await ask('first-secret-of-robot')).status).toBe(401)
    expect((await ask(fresh)).status).toBe(200)
    await admin.clients.update({ realm, id }, { clientId: 'robot', serviceAccountsEnabled: false })
    expect((await refusal(admin.clients.getServiceAccountUser({ realm, id }))).status).toBe(400)
    expect((await ask(fresh)).status).not.toBe(200)
  })

  test.each(['javascript:alert(1)', 'https://*.example/', '/relative', 'https://a.example/#x', '*'])(
    'the redirect address %s is refused',
    async (uri) => {
      expect(
        (await refusal(admin.clients.create({ realm, clientId: 'sly', publicClient: true, redirectUris: [uri] })))
          .status,
      ).toBe(400)
    },
  )
})

describe('who may administer', () => {
  async function actAs(clientId: string, roles: string[], more: object = {}) {
    const secret = `secret-of-${clientId}-long`
    const { id } = await admin.clients.create({ realm, clientId, serviceAccountsEnabled: true, secret, ...more })
    const account = await admin.clients.getServiceAccountUser({ realm, id })
    const [management] = await admin.clients.find({ realm, clientId: 'realm-management' })
    const clientUniqueId = management?.id ?? ''
    const found = await Promise.all(
      roles.map((roleName) => admin.clients.findRole({ realm, id: clientUniqueId, roleName })),
    )
    await admin.users.addClientRoleMappings({ realm, id: account.id ?? '', clientUniqueId, roles: found.map(roleRef) })
    const client = new KeycloakAdminClient({ baseUrl: fixture.url, realmName: realm })
    await client.auth({ grantType: 'client_credentials', clientId, clientSecret: secret })
    return { id, client, clientUniqueId, accountId: account.id ?? '' }
  }

  test('without a token nothing, without a role nothing', async () => {
    expect((await fetch(`${fixture.url}/admin/realms/${realm}/users`)).status).toBe(401)
    const { client } = await actAs('powerless', [])
    expect((await refusal(client.users.find({ realm }))).status).toBe(403)
    expect((await refusal(client.realms.find())).status).toBe(403)
  })

  test('view-users sees and changes nothing; in another realm it does not even see', async () => {
    const { client } = await actAs('looker', ['view-users'])
    expect((await client.users.find({ realm })).length).toBeGreaterThan(0)
    expect((await client.groups.find({ realm })).length).toBeGreaterThan(0)
    expect((await refusal(client.users.create({ realm, username: 'x', enabled: true }))).status).toBe(403)
    expect((await refusal(client.users.find({ realm: 'elsewhere' }))).status).toBe(403)
  })

  test('manage-users cannot give itself or others more power, nor touch the more powerful', async () => {
    const boss = await actAs('boss', ['realm-admin'])
    const { client, clientUniqueId, accountId } = await actAs('manager', ['manage-users', 'view-clients'])
    const realmAdmin = await admin.clients.findRole({ realm, id: clientUniqueId, roleName: 'realm-admin' })
    const give = client.users.addClientRoleMappings({
      realm,
      id: accountId,
      clientUniqueId,
      roles: [roleRef(realmAdmin)],
    })
    expect((await refusal(give)).status).toBe(403)
    await admin.roles.create({ realm, name: 'trojan' })
    const trojan = await admin.roles.findOneByName({ realm, name: 'trojan' })
    await admin.roles.createComposite({ realm, roleId: trojan?.id ?? '' }, [roleRef(realmAdmin)])
    expect(
      (await refusal(client.users.addRealmRoleMappings({ realm, id: accountId, roles: [roleRef(trojan)] }))).status,
    ).toBe(403)
    const strongGroup = await admin.groups.create({ realm, name: 'Strong' })
    await admin.groups.addRealmRoleMappings({ realm, id: strongGroup.id, roles: [roleRef(trojan)] })
    expect((await refusal(client.users.addToGroup({ realm, id: accountId, groupId: strongGroup.id }))).status).toBe(403)
    const reset = client.users.resetPassword({
      realm,
      id: boss.accountId,
      credential: { type: 'password', value: 'stolen account' },
    })
    expect((await refusal(reset)).status).toBe(403)
    expect((await refusal(client.users.del({ realm, id: boss.accountId }))).status).toBe(403)
    const { id } = await client.users.create({ realm, username: 'ordinary', enabled: true })
    await client.users.resetPassword({ realm, id, credential: { type: 'password', value: 'an ordinary one' } })
  })

  test('power that is taken away is gone at once', async () => {
    const { client, clientUniqueId, accountId } = await actAs('fallen', ['view-users'])
    expect(await client.users.count({ realm })).toBeGreaterThan(0)
    const role = await admin.clients.findRole({ realm, id: clientUniqueId, roleName: 'view-users' })
    await admin.users.delClientRoleMappings({ realm, id: accountId, clientUniqueId, roles: [roleRef(role)] })
    expect((await refusal(client.users.count({ realm }))).status).toBe(403)
  })

  test('roles that the client of a token does not carry count for nothing', async () => {
    const bound = { fullScopeAllowed: false }
    const { client, id, clientUniqueId } = await actAs('bounded', ['view-users', 'manage-users'], bound)
    expect((await refusal(client.users.count({ realm }))).status).toBe(403)
    const looking = await admin.clients.findRole({ realm, id: clientUniqueId, roleName: 'view-users' })
    await admin.clients.addClientScopeMappings({ realm, id, client: clientUniqueId }, [roleRef(looking)])
    expect(await client.users.count({ realm })).toBeGreaterThan(0)
    expect((await refusal(client.users.create({ realm, username: 'carried', enabled: true }))).status).toBe(403)
  })

  test('nor does the role above all realms, for a client that does not carry it', async () => {
    const secret = 'secret-of-a-bounded-master'
    const bound = { clientId: 'bounded-master', serviceAccountsEnabled: true, fullScopeAllowed: false, secret }
    const { id } = await admin.clients.create({ realm: 'master', ...bound })
    const account = await admin.clients.getServiceAccountUser({ realm: 'master', id })
    const power = await admin.roles.findOneByName({ realm: 'master', name: 'admin' })
    await admin.users.addRealmRoleMappings({ realm: 'master', id: account.id ?? '', roles: [roleRef(power)] })
    const client = new KeycloakAdminClient({ baseUrl: fixture.url, realmName: 'master' })
    await client.auth({ grantType: 'client_credentials', clientId: bound.clientId, clientSecret: secret })
    expect((await refusal(client.users.count({ realm }))).status).toBe(403)
    expect((await refusal(client.realms.find())).status).toBe(403)
    await admin.clients.del({ realm: 'master', id })
  })

  test('an unknown path is a 404, a known one with another verb a 405, a broken body a 400', async () => {
    const headers = { authorization: `Bearer ${await admin.getAccessToken()}`, 'content-type': 'application/json' }
    const at = (path: string, init: RequestInit = {}) =>
      fetch(`${fixture.url}/admin/realms/${realm}${path}`, { headers, ...init })
    expect((await at('/unheard-of')).status).toBe(404)
    expect((await at('/users/count', { method: 'POST', body: '{}' })).status).toBe(405)
    expect((await at('/users', { method: 'POST', body: '{"username":' })).status).toBe(400)
    expect((await at('/users', { method: 'POST', body: '[]' })).status).toBe(400)
    expect((await at('/users', { method: 'POST', body: `"${'x'.repeat(1_100_000)}"` })).status).toBe(413)
    expect((await at('/users/%ff')).status).toBe(404)
  })
})
