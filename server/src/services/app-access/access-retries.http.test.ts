import { type IdentityFixture, startIdentityFixture } from '@quayside/embedded-identity/testing/identity-fixture'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createKeycloak } from '../../adapters/keycloak/keycloak.ts'
import { type Fault, openFaultProxy } from '../../adapters/keycloak/testing/fault-proxy.ts'
import { appAccessFor } from './testing/app-access-for.ts'

const realm = 'harbour'
let fixture: IdentityFixture
let faultProxy: Awaited<ReturnType<typeof openFaultProxy>>
let now = 0
let lines: string[] = []

beforeAll(async () => {
  fixture = await startIdentityFixture()
  faultProxy = await openFaultProxy(fixture.url)
  await fixture.admin.realms.create({ realm, enabled: true })
})
afterEach(() => {
  vi.restoreAllMocks()
  faultProxy.faultOf = () => undefined
  lines = []
})
afterAll(async () => {
  await faultProxy?.close()
  await fixture?.[Symbol.asyncDispose]()
})

const waits = {
  say: (line: string) => void lines.push(line),
  async pause(milliseconds: number) {
    now += milliseconds
  },
}
/** Waiting costs no time. */
function access() {
  now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const { id: clientId, secret: clientSecret } = fixture.adminClient
  const keycloak = createKeycloak({ url: faultProxy.url, publicUrl: fixture.publicUrl, clientId, clientSecret })
  return appAccessFor(keycloak)
}
const target = (appId: string) => ({
  tenantId: 't1',
  realm,
  appId,
  appName: 'Shop',
  releaseName: 'shop',
  resourceRoles: ['shop.view', 'shop.admin'],
})
const keepers = [{ id: null, name: 'Shop keepers', resourceRoles: ['shop.view'] }]
const clientOf = async (appId: string) =>
  (await fixture.admin.clients.find({ realm, clientId: `quayside-app-${appId}` }))[0]
const groupNames = async () => (await fixture.admin.groups.find({ realm })).map(({ name }) => name)

/** Every call meets the fault when it is made for the first time. */
function once(fault: Fault) {
  const seen = new Set<string>()
  faultProxy.faultOf = (call) => {
    const isFirst = !seen.has(call)
    seen.add(call)
    return isFirst ? fault : undefined
  }
  return seen
}

const faults: [string, Fault, string][] = [
  ['answered with 500', 500, 'The identity server answered with 500: it may be a passing fault'],
  ['answered with 429', 429, 'The identity server answered with 429: it may be a passing fault'],
  ['answered with 503', 503, 'The identity server could not be reached: it may be a passing fault'],
  ['reset', 'reset', 'The identity server could not be reached: it may be a passing fault'],
  ['done, and its answer lost', 'answer lost', 'The identity server could not be reached: it may be a passing fault'],
]

test.each(faults)(
  'each call of a grant and of its end is once %s: all is as if nothing had been',
  async (_, fault, said) => {
    const [iam, appId] = [access(), `p-${fault}`.replace(' ', '-')]
    const seen = once(fault)
    expect(await iam.grantAccess(target(appId), keepers, waits)).toMatchObject({ type: 'Success' })
    expect(seen.size).toBeGreaterThan(7)
    expect(lines).toContain(said)
    expect(lines).toContain('Waiting for the identity server, trying again in 1 s')
    const client = await clientOf(appId)
    expect(client?.redirectUris).toEqual([`http://portal.example/en/apps/${appId}`])
    const [group] = await fixture.admin.groups.find({ realm, search: 'Shop keepers', exact: true })
    const address = { realm, id: group?.id ?? '', clientUniqueId: client?.id ?? '' }
    expect((await fixture.admin.groups.listClientRoleMappings(address)).map(({ name }) => name)).toEqual(['shop.view'])
    expect(await groupNames()).toEqual(['Shop keepers'])

    once(fault)
    expect(await iam.revokeAccess(target(appId), waits)).toEqual({ type: 'Success', msg: 'Access is removed' })
    expect(await clientOf(appId)).toBeUndefined()
    expect(await groupNames()).toEqual([])
  },
)

test('a fault that stays is given up after two minutes, in plain words, and what was made is taken back', async () => {
  const iam = access()
  const begun = now
  faultProxy.faultOf = (call) => (/^POST .*\/role-mappings\//.test(call) ? 500 : undefined)
  expect(await iam.grantAccess(target('p7'), keepers, waits)).toEqual({
    type: 'RolesFailed',
    msg: 'The identity server answered with 500, over and over for 120 s. Faults like this pass: try again in a while; its log says more',
  })
  const waited = Math.round(now - begun)
  expect(waited).toBeGreaterThan(100_000)
  expect(waited).toBeLessThanOrEqual(120_000)
  expect(await clientOf('p7')).toBeUndefined()
  expect(await groupNames()).toEqual([])
})

test('a refusal is no passing fault: nothing is waited for', async () => {
  const iam = access()
  const begun = now
  faultProxy.faultOf = (call) => (/^POST .*\/role-mappings\//.test(call) ? 403 : undefined)
  expect(await iam.grantAccess(target('p8'), keepers, waits)).toMatchObject({ type: 'RolesFailed' })
  expect(now).toBe(begun)
})

test('a wait that is ended ends the grant with its reason; whoever ended it takes back the whole of it', async () => {
  const iam = access()
  const over = new Error('nobody wants it any more')
  faultProxy.faultOf = (call) => (/^POST .*\/role-mappings\//.test(call) ? 'reset' : undefined)
  const cut = { ...waits, pause: () => Promise.reject(over) }
  await expect(iam.grantAccess(target('p9'), keepers, cut)).rejects.toBe(over)
  await expect(iam.revokeAccess(target('p9'), cut)).resolves.toMatchObject({ type: 'Success' })
  expect(await groupNames()).toEqual([])
})
