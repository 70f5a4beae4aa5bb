import type { App } from '@quayside/contract/apps/endpoints'
import type { Scope } from '@quayside/contract/permissions/scopes'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Access } from '../../../platform/auth/rights.ts'
import { actionOf } from '../ledger/queries.ts'
import { releaseNameOf } from '../releases/release-name.ts'
import { deployDataFor } from '../testing/fake-apps.ts'
import { accessOf, createHarness, type Harness, looking, people } from '../testing/harness.ts'
import { commandOf } from './accept.ts'
import { assign } from './assign.ts'
import { deploy } from './deploy.ts'
import { cancel } from './ending/cancel.ts'
import { remove } from './remove.ts'
import { mustBeRetryable, retry } from './retry.ts'

let world: World
let harness: Harness
const { ann, bob } = people
const plain = { headers: {} }
const forbidden = { code: 'auth.forbidden', details: { needs: [{ scope: 'app.manage' }] } }

beforeAll(async () => {
  world = await World.start({ portal: false, identity: false, cluster: false })
  harness = await createHarness(world.databaseUrl)
})
afterAll(async () => {
  await harness?.close()
  await world?.close()
})

const deps = () => harness.first.deps
/** Nobody hears of what is accepted: it waits. */
const asleep = () => ({ ...deps(), jobs: { ...deps().jobs, send: async () => undefined } })
const deploying: Access = { ...accessOf(bob), scopes: new Set<Scope>(['space.view', 'app.view', 'space.deploy']) }
const ended = (id: string) => actionOf(harness.first, 't1', id, 30, looking)

function assigned(): Promise<App> {
  const child = { item: { id: 'item1' }, version: { id: 'v1' } }
  const body = { tenantId: 't1', spaceId: 'space01', clusterId: 'c1', catalogChild: child, socketId: null }
  return assign(deps(), commandOf('Assign', ann, body, plain), body)
}
function install(app: App) {
  const releaseName = releaseNameOf('web', app.identifier)
  const body = { appId: app.id, versionId: 'v1', releaseName, deployData: deployDataFor(app), socketId: null }
  return deploy(deps(), commandOf('Deploy', ann, body, plain), body)
}
function removing(app: App, access: Access) {
  const body = { app: { id: app.id }, socketId: null }
  return remove(asleep(), commandOf('Delete', bob, body, plain), body, access)
}
const again = (failed: Awaited<ReturnType<typeof mustBeRetryable>>) =>
  retry(deps(), commandOf('Delete', bob, { again: failed.id }, plain), failed)

test('who deploys takes the deletion of an app back that was only assigned, and does it again', async () => {
  const deletion = await removing(await assigned(), deploying)
  expect(await cancel(deps(), bob, deletion.id, deploying)).toMatchObject({ state: 'Failed', cancelled_by: 'bob' })
  const { id } = await again(await mustBeRetryable(deps(), bob, deletion.id, deploying))
  expect(await ended(id)).toMatchObject({ kind: 'Delete', state: 'Success' })
})

test('the deletion of an app that was deployed is for who manages it', async () => {
  const app = await assigned()
  expect(await ended((await install(app)).id)).toMatchObject({ state: 'Success' })
  await expect(removing(app, deploying)).rejects.toMatchObject(forbidden)
  const deletion = await removing(app, accessOf(ann))
  await expect(cancel(deps(), bob, deletion.id, deploying)).rejects.toMatchObject(forbidden)
  expect(await cancel(deps(), bob, deletion.id, accessOf(bob))).toMatchObject({ state: 'Failed' })
  await expect(mustBeRetryable(deps(), bob, deletion.id, deploying)).rejects.toMatchObject(forbidden)
  expect(await mustBeRetryable(deps(), bob, deletion.id, accessOf(bob))).toMatchObject({ id: deletion.id })
})

test('an app that was deployed since its deletion failed is not deleted by trying that again', async () => {
  const app = await assigned()
  const deletion = await removing(app, deploying)
  await cancel(deps(), bob, deletion.id, deploying)
  const failed = await mustBeRetryable(deps(), bob, deletion.id, deploying)
  expect(await ended((await install(app)).id)).toMatchObject({ state: 'Success' })
  await expect(again(failed)).rejects.toMatchObject({ code: 'deployment.not-retryable' })
  await expect(mustBeRetryable(deps(), bob, deletion.id, deploying)).rejects.toMatchObject({
    code: 'deployment.not-retryable',
  })
  expect(harness.fakeApps.records.get(app.id)).toMatchObject({ state: 'healthy' })
})
