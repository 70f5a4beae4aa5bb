import { readFileSync } from 'node:fs'
import type { App } from '@quayside/contract/apps/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import type { Tenant } from '@quayside/contract/tenants/endpoints'
import { callsOf } from '@quayside/embedded/portal-calls'
import { createStory, type Story } from '@quayside/embedded/story/story'
import { type Replica, World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Calls = ReturnType<typeof callsOf>

const limitsPath = '/portal-api/v1/limits'
const ownPath = () => `/portal-api/v2/tenants/byrealm/${world.realm}`
const abroadPath = '/portal-api/v2/tenants/byrealm/abroad'

let world: World
let abroad: Replica
let admin: Story
let member: Calls
let nobody: Calls
let foreignAdmin: Calls
let spaces: { shared: Space; closed: Space }
let app: App

beforeAll(async () => {
  world = await World.start({ env: { QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: '321' } })
  abroad = await world.addReplica({ realm: 'abroad' })
  admin = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const memberToken = await world.tokenFor({ realmRoles: ['quayside-member'] })
  member = callsOf(world, memberToken)
  nobody = callsOf(world, await world.tokenFor())
  foreignAdmin = callsOf(abroad, await world.tokenFor({ realm: 'abroad', realmRoles: ['quayside-admin'] }))
  const shared = await admin.space('Shared', readFileSync(world.kubeconfig, 'utf8'))
  const principal = { type: 'user', id: decodeJwt(memberToken).sub }
  await admin.good(`/portal-api/v3/spaces/${shared.id}/permissions`, { body: { principal, role: 'viewer' } })
  spaces = { shared, closed: await admin.good<Space>('/portal-api/v3/spaces', { body: { displayName: 'Closed' } }) }
  app = await admin.assign(shared, await admin.uploadSmall('shop', '1.0.0'))
})
afterAll(() => world?.close())

test.each([
  ['the limits', () => limitsPath],
  ['the tenant', ownPath],
])('%s want a token', async (_, path) => {
  expect((await world.api(path())).status).toBe(401)
})

describe('limits', () => {
  test('are told to everybody who is signed in, as they are configured', async () => {
    const wanted = { uploadBytes: 10_485_760, valuesBytes: 524_288, listLimit: 1000, deployTimeoutSeconds: 321 }
    for (const caller of [admin, member, nobody]) expect(await caller.good(limitsPath)).toEqual(wanted)
  })

  test('of lists are those that lists have', async () => {
    const { listLimit } = await admin.good<{ listLimit: number }>(limitsPath)
    expect((await admin.call(`/portal-api/v2/spaces?page.limit=${listLimit}`)).status).toBe(200)
    expect(await admin.call(`/portal-api/v2/spaces?page.limit=${listLimit + 1}`)).toMatchObject({
      status: 400,
      body: { field: 'page.limit' },
    })
  })
})

describe('the tenant of a realm', () => {
  test('is told with the spaces and apps that the caller sees', async () => {
    const tenant = await admin.good<Tenant>(ownPath())
    expect(tenant).toEqual({
      id: expect.any(String),
      identifier: world.realm,
      realm: world.realm,
      displayName: world.realm.replace(/^d/, 'D'),
      spaces: [
        { id: spaces.shared.id, apps: [{ id: app.id }] },
        { id: spaces.closed.id, apps: [] },
      ],
    })
    expect(await member.good(ownPath())).toEqual({
      ...tenant,
      spaces: [{ id: spaces.shared.id, apps: [{ id: app.id }] }],
    })
  })

  test('shows somebody without roles and spaces nothing in it', async () => {
    expect((await nobody.good<Tenant>(ownPath())).spaces).toEqual([])
  })

  test('is that of the caller only: another one does not exist, as one that was never made', async () => {
    const own = await admin.good<Tenant>(ownPath())
    const foreign = await foreignAdmin.good<Tenant>(abroadPath)
    expect(foreign).toMatchObject({ realm: 'abroad', displayName: 'Abroad', spaces: [] })
    expect(foreign.id).not.toBe(own.id)
    const unknown = await admin.call('/portal-api/v2/tenants/byrealm/never-made')
    for (const answer of [unknown, await admin.call(abroadPath), await foreignAdmin.call(ownPath())])
      expect(answer).toMatchObject({ status: 404, body: { code: 'tenant.not-found' } })
  })

  test('is asked for by a realm of at most 64 characters', async () => {
    const answer = await admin.call(`/portal-api/v2/tenants/byrealm/${'a'.repeat(65)}`)
    expect(answer).toMatchObject({ status: 400, body: { field: 'realm' } })
  })
})
