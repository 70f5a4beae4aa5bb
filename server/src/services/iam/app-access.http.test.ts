import { type IdentityBench, startBench } from '@quayside/embedded/identity/testing/identity-bench'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeycloak, type Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { createLogger } from '../../kernel/logger.ts'
import type { AccessTarget } from './access-outcome.ts'
import { createAppAccess } from './app-access.ts'

const realm = 'harbour'
const log = createLogger('silent')
let bench: IdentityBench
let keycloak: Keycloak
let groupId: string

beforeAll(async () => {
  bench = await startBench()
  const { id: clientId, secret: clientSecret } = bench.adminClient
  keycloak = createKeycloak({ url: bench.url, publicUrl: bench.publicUrl, clientId, clientSecret })
  await bench.admin.realms.create({ realm, enabled: true })
  ;({ id: groupId } = await bench.admin.groups.create({ realm, name: 'Storefront' }))
})
afterAll(() => bench[Symbol.asyncDispose]())

const target = (appId: string): AccessTarget => ({
  tenantId: 't1',
  realm,
  appId,
  appName: 'Shop',
  releaseName: 'shop',
  resourceRoles: ['shop.view', 'shop.admin'],
})
const unhurried = { say: () => undefined, pause: () => Promise.reject(new Error('nothing was to be waited for')) }
const access = () => createAppAccess(keycloak, 'http://portal.example', log)
const clientOf = async (appId: string) =>
  (await bench.admin.clients.find({ realm, clientId: `quayside-app-${appId}` }))[0]
const rolesOfGroup = async (id: string, clientUniqueId: string) =>
  (await bench.admin.groups.listClientRoleMappings({ realm, id, clientUniqueId })).map((role) => role.name)

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
    expect(await bench.admin.groups.find({ realm, search: 'Shop keepers', exact: true })).toHaveLength(1)

    expect(await access().revokeAccess(target('a1'), unhurried)).toMatchObject({ type: 'Success' })
    expect(await clientOf('a1')).toBeUndefined()
    expect((await bench.admin.groups.find({ realm })).map((group) => group.name)).toEqual(['Storefront'])
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
    expect((await bench.admin.groups.find({ realm })).map((group) => group.name)).toEqual(['Storefront'])
  })

  test('an address that the identity server refuses is RedirectUrisFailed, with nothing left', async () => {
    const refused = createAppAccess(keycloak, 'javascript:alert(1)', log)
    const result = await refused.grantAccess(target('a4'), [], unhurried)
    expect(result.type).toBe('RedirectUrisFailed')
    expect(await clientOf('a4')).toBeUndefined()
  })

  test('an app that someone keeps using its group for leaves the group alone', async () => {
    await access().grantAccess(target('a5'), [{ id: null, name: 'Regulars', resourceRoles: ['shop.view'] }], unhurried)
    const [group] = await bench.admin.groups.find({ realm, search: 'Regulars', exact: true })
    const { id } = await bench.admin.users.create({ realm, username: 'rita', enabled: true })
    await bench.admin.users.addToGroup({ realm, id, groupId: group?.id ?? '' })
    expect(await access().revokeAccess(target('a5'), unhurried)).toMatchObject({ type: 'Success' })
    expect(await bench.admin.groups.find({ realm, search: 'Regulars', exact: true })).toHaveLength(1)
  })
})
