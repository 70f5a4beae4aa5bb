import { type IdentityFixture, startIdentityFixture } from '@quayside/embedded-identity/testing/identity-fixture'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeycloak, type Keycloak } from '../../adapters/keycloak/keycloak.ts'
import type { Standing } from '../../platform/auth/standing.ts'
import type { AccessTarget } from './outcome.ts'
import { appAccessFor } from './testing/app-access-for.ts'

const realm = 'harbour'
let fixture: IdentityFixture
let keycloak: Keycloak
let groupId: string

beforeAll(async () => {
  fixture = await startIdentityFixture()
  const { id: clientId, secret: clientSecret } = fixture.adminClient
  keycloak = createKeycloak({ url: fixture.url, publicUrl: fixture.publicUrl, clientId, clientSecret })
  await fixture.admin.realms.create({ realm, enabled: true })
  ;({ id: groupId } = await fixture.admin.groups.create({ realm, name: 'Storefront' }))
})
afterAll(() => fixture[Symbol.asyncDispose]())

const target = (appId: string): AccessTarget => ({
  tenantId: 't1',
  realm,
  appId,
  appName: 'Shop',
  releaseName: 'shop',
  resourceRoles: ['shop.view', 'shop.admin'],
})
const unhurried = { say: () => undefined, pause: () => Promise.reject(new Error('nothing was to be waited for')) }
const access = () => appAccessFor(keycloak)
const clientOf = async (appId: string) =>
  (await fixture.admin.clients.find({ realm, clientId: `quayside-app-${appId}` }))[0]
const rolesOfGroup = async (id: string, clientUniqueId: string) =>
  (await fixture.admin.groups.listClientRoleMappings({ realm, id, clientUniqueId })).map((role) => role.name)

describe('the access of a deployed app', () => {
  test('roles for groups that exist and for a new one, one exact way back; again changes nothing; then all is gone', async () => {
    const groups = [
      { id: groupId, name: 'Storefront', resourceRoles: ['shop.view'] },
      { id: null, name: 'Shop keepers', resourceRoles: ['shop.view', 'shop.admin'] },
    ]
    const lines: string[] = []
    expect(
      await access().grantAccess(target('a1'), groups, { ...unhurried, say: (line) => lines.push(line) }),
    ).toMatchObject({
      type: 'Success',
    })
    expect(lines).toEqual(['Groups: Storefront, Shop keepers', 'Roles: shop.view, shop.admin'])
    const client = await clientOf('a1')
    expect(client?.redirectUris).toEqual(['http://portal.example/en/apps/a1'])
    expect(await rolesOfGroup(groupId, client?.id ?? '')).toEqual(['shop.view'])

    expect(await access().grantAccess(target('a1'), groups, unhurried)).toMatchObject({ type: 'Success' })
    expect(await fixture.admin.groups.find({ realm, search: 'Shop keepers', exact: true })).toHaveLength(1)

    expect(await access().revokeAccess(target('a1'), unhurried)).toMatchObject({ type: 'Success' })
    expect(await clientOf('a1')).toBeUndefined()
    expect((await fixture.admin.groups.find({ realm })).map((group) => group.name)).toEqual(['Storefront'])
    expect(await access().revokeAccess(target('a1'), unhurried)).toMatchObject({ type: 'Success' })
  })

  test('a group that has gone is GroupFaild', async () => {
    const groups = [{ id: 'gone', name: 'Ghosts', resourceRoles: [] }]
    expect(await access().grantAccess(target('a2'), groups, unhurried)).toMatchObject({ type: 'GroupFaild' })
    expect(await clientOf('a2')).toBeUndefined()
  })

  test('a role that the app does not have is RolesFailed, and everything made before is taken back', async () => {
    const groups = [
      { id: groupId, name: 'Storefront', resourceRoles: ['shop.view'] },
      { id: null, name: 'Latecomers', resourceRoles: ['quayside-admin'] },
    ]
    const result = await access().grantAccess(target('a3'), groups, unhurried)
    expect(result).toEqual({ type: 'RolesFailed', msg: 'quayside-admin is not a role of Shop' })
    expect(await clientOf('a3')).toBeUndefined()
    expect((await fixture.admin.groups.find({ realm })).map((group) => group.name)).toEqual(['Storefront'])
  })

  test('an address that the identity server refuses is RedirectUrisFailed, with nothing left', async () => {
    const refused = appAccessFor(keycloak, { portalUrl: 'javascript:alert(1)' })
    const result = await refused.grantAccess(target('a4'), [], unhurried)
    expect(result.type).toBe('RedirectUrisFailed')
    expect(await clientOf('a4')).toBeUndefined()
  })

  test('an app that someone keeps using its group for leaves the group alone', async () => {
    await access().grantAccess(target('a5'), [{ id: null, name: 'Regulars', resourceRoles: ['shop.view'] }], unhurried)
    const [group] = await fixture.admin.groups.find({ realm, search: 'Regulars', exact: true })
    const { id } = await fixture.admin.users.create({ realm, username: 'rita', enabled: true })
    await fixture.admin.users.addToGroup({ realm, id, groupId: group?.id ?? '' })
    expect(await access().revokeAccess(target('a5'), unhurried)).toMatchObject({ type: 'Success' })
    expect(await fixture.admin.groups.find({ realm, search: 'Regulars', exact: true })).toHaveLength(1)
  })
})

describe('whoever starts a deployment', () => {
  const deploy = 'deploy'
  const makeGroups = 'quayside-portal-ui-iam-groups:groups.create'
  const standing = (...resourceRoles: string[]): Standing => ({
    username: 'olga',
    realmRoles: new Set(),
    resourceRoles: new Set(resourceRoles),
    groupIds: new Set(),
  })
  /** App access whose directory returns these standings, one at each look. */
  const accessOf = (...looks: (Standing | undefined)[]) => appAccessFor(keycloak, { standing: () => looks.shift() })
  const toStorefront = () => [{ id: groupId, name: 'Storefront', resourceRoles: ['shop.view'] }]
  const toNew = (name: string) => [{ id: null, name, resourceRoles: ['shop.view'] }]
  const options = { starterId: 'u1' }
  const groupNames = async () => (await fixture.admin.groups.find({ realm })).map(({ name }) => name)

  test('hands out roles of the app while they may deploy it, before and after', async () => {
    const may = standing(deploy)
    expect(await accessOf(may, may).grantAccess(target('b1'), toStorefront(), unhurried, options)).toMatchObject({
      type: 'Success',
    })
  })

  test.each([
    ['is gone', [undefined]],
    ['may not deploy', [standing()]],
    ['is gone when the roles are given', [standing(deploy), undefined]],
    ['may not deploy when the roles are given', [standing(deploy), standing()]],
  ])('and %s gives nothing, and nothing is left', async (_, looks) => {
    const result = await accessOf(...looks).grantAccess(target('b2'), toStorefront(), unhurried, options)
    expect(result.type).toBe('RolesFailed')
    expect(await clientOf('b2')).toBeUndefined()
  })

  test('makes a group with the right to make groups, and not without it or when it is lost meanwhile', async () => {
    const [plain, maker] = [standing(deploy), standing(deploy, makeGroups)]
    const grant = (looks: Standing[], name: string) =>
      accessOf(...looks).grantAccess(target('b3'), toNew(name), unhurried, options)
    expect(await grant([plain, plain], 'Newcomers')).toMatchObject({ type: 'GroupFaild' })
    expect(await grant([maker, plain], 'Newcomers')).toMatchObject({ type: 'GroupFaild' })
    expect(await groupNames()).not.toContain('Newcomers')
    expect(await grant([maker, maker], 'Newcomers')).toMatchObject({ type: 'Success' })
  })

  test('never reaches a group that is there by its name, however it is written', async () => {
    const maker = standing(deploy, makeGroups)
    for (const name of ['Storefront', ' storefront ', 'ＳＴＯＲＥＦＲＯＮＴ']) {
      const result = await accessOf(maker, maker).grantAccess(target('b4'), toNew(name), unhurried, options)
      expect(result).toMatchObject({ type: 'GroupFaild', msg: expect.stringContaining('exists already') })
    }
    expect(await clientOf('b4')).toBeUndefined()
  })

  test('does not hand out what somebody has put into a role of the app', async () => {
    const may = standing(deploy)
    await accessOf(may, may).grantAccess(target('b5'), toStorefront(), unhurried, options)
    const id = (await clientOf('b5'))?.id ?? ''
    await fixture.admin.roles.create({ realm, name: 'harbour-master' })
    const inner = await fixture.admin.roles.findOneByName({ realm, name: 'harbour-master' })
    const role = await fixture.admin.clients.findRole({ realm, id, roleName: 'shop.admin' })
    await fixture.admin.roles.createComposite({ realm, roleId: role?.id ?? '' }, [{ id: inner?.id, name: inner?.name }])
    const wanted = [{ id: groupId, name: 'Storefront', resourceRoles: ['shop.admin'] }]
    expect(await accessOf(may, may).grantAccess(target('b5'), wanted, unhurried, options)).toMatchObject({
      type: 'RolesFailed',
      msg: 'shop.admin contains roles that olga does not hold',
    })
    expect(await rolesOfGroup(groupId, id)).toEqual(['shop.view'])
  })
})

describe('a command that names new groups', () => {
  const actor = (...resourceRoles: string[]) =>
    ({ realm, resourceRoles: new Set(resourceRoles) }) as unknown as Parameters<
      ReturnType<typeof appAccessFor>['checkNewGroups']
    >[0]
  const check = (who: ReturnType<typeof actor>, name: string, id: string | null = null) =>
    access().checkNewGroups(
      who,
      'd1',
      [
        { id: groupId, name: 'Storefront', resourceRoles: [] },
        { id, name, resourceRoles: [] },
      ],
      'groups',
    )
  const maker = () => actor('quayside-portal-ui-iam-groups:groups.create')

  test('is refused, with the field, for somebody who may not make groups', async () => {
    await expect(check(actor(), 'Novices')).rejects.toMatchObject({
      code: 'auth.forbidden',
      field: 'groups.1.name',
      details: { needs: [{ section: 'iam-groups', role: 'groups.create' }] },
    })
    await expect(check(actor(), 'Storefront', groupId)).resolves.toBeUndefined()
    await expect(check(maker(), 'Novices')).resolves.toBeUndefined()
  })

  test('is refused, with the field, for names that are taken or empty', async () => {
    for (const name of ['storefront', ' ']) {
      await expect(check(maker(), name)).rejects.toMatchObject({ code: 'request.invalid', field: 'groups.1.name' })
    }
  })
})
