import type { App } from '@quayside/contract/apps/endpoints'
import { World } from '@quayside/embedded/world'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { queueOf } from '../../engine/queues.ts'
import { actionOf, eventsOf } from '../../ledger/queries.ts'
import { actionLabel } from '../../releases/release-state.ts'
import type { ActionRow } from '../../tables.ts'
import { deployDataFor } from '../../testing/fake-apps.ts'
import { accessOf, createHarness, type Harness, looking, people } from '../../testing/harness.ts'
import { commandOf } from '../accept.ts'
import { assign } from '../assign.ts'
import { deploy, upgrade } from '../deploy.ts'
import { remove } from '../remove.ts'
import { mustBeRetryable, retry } from '../retry.ts'
import { rollback } from '../rollback.ts'
import { abort } from './abort.ts'

let world: World
let harness: Harness
const { ann, bob, eve } = people
const plain = { headers: {} }

beforeAll(async () => {
  world = await World.start({ portal: false, identity: false, cluster: false })
  harness = await createHarness(world.databaseUrl)
})
afterEach(() => {
  Object.assign(harness.state, { isAway: false, manifest: '' })
  harness.scripts.length = 0
})
afterAll(async () => {
  await harness?.close()
  await world?.close()
})

const deps = () => harness.first.deps
/** Nobody is woken for what is accepted by these, so it waits for a while. */
const asleep = () => ({ ...deps(), jobs: { ...deps().jobs, send: async () => undefined } })
const nameOf = (app: App) => `web-${app.identifier}`

function newApp(): Promise<App> {
  const child = { item: { id: 'item1' }, version: { id: 'v1' } }
  const body = { tenantId: 't1', spaceId: 'space01', clusterId: 'c1', catalogChild: child, socketId: null }
  return assign(deps(), commandOf('Assign', ann, body, plain), body)
}
function install(app: App, by = deps(), more: { giveUpEarly?: boolean } = {}) {
  const deployData = deployDataFor(app)
  const body = { appId: app.id, versionId: 'v1', releaseName: nameOf(app), deployData, socketId: null, ...more }
  return deploy(by, commandOf('Deploy', ann, body, plain), body)
}
function upgrading(app: App) {
  const body = { appId: app.id, versionId: 'v1', deployData: deployDataFor(app), socketId: null }
  return upgrade(deps(), commandOf('Upgrade', ann, body, plain), body)
}
function rollingBack(app: App, revision: number) {
  const body = { appId: app.id, revision, socketId: null }
  return rollback(deps(), commandOf('Rollback', ann, body, plain), body)
}
function removing(app: App) {
  const body = { app: { id: app.id }, socketId: null }
  return remove(deps(), commandOf('Delete', ann, body, plain), body, accessOf(ann))
}
const now = (action: { id: string }) => actionOf(harness.first, 't1', action.id, 0, looking)
const ended = async (action: { id: string }) => {
  const row = await actionOf(harness.first, 't1', action.id, 30, looking)
  expect(row.running).toBe(false)
  return row
}
const messages = async ({ id }: { id: string }) =>
  (await eventsOf(deps(), 't1', id, { after: 0, access: looking.access })).map(
    ({ payload }) => (payload as { message?: string }).message,
  )
const statuses = (app: App) =>
  (harness.releases.get(nameOf(app)) ?? []).map(({ revision, status }) => `${revision} ${status}`)

/** Starts an action whose Helm never ends, and waits until it runs. */
async function hanging(start: () => Promise<ActionRow>): Promise<ActionRow> {
  harness.scripts.push('never ends')
  const { runs } = harness.state
  const action = await start()
  await expect.poll(() => harness.state.runs, { timeout: 20_000 }).toBe(runs + 1)
  await expect.poll(async () => (await now(action)).abortable, { timeout: 20_000 }).toBe(true)
  return action
}

test('a first installation is aborted from another replica: its release blocks nothing, and what is left is told', async () => {
  const app = await newApp()
  harness.state.manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: colours\n'
  const action = await hanging(() => install(app))
  expect(harness.grants.held.has(app.id)).toBe(true)
  const other = await harness.startReplica({ works: false })
  const aborted = await abort(other.deps, bob, action.id, accessOf(bob))
  await other.end()
  expect(aborted).toMatchObject({ state: 'Failed', aborted_by: 'bob', attempt: 1 })
  const { result, leftBehind, abortedBy, abortable } = await ended(action)
  expect({ abortedBy, abortable }).toEqual({ abortedBy: 'bob', abortable: false })
  expect(leftBehind).toEqual({
    ...{ release: 'failed', revision: 1, rollbackTo: null },
    ...{ objects: ['ConfigMap colours'], objectCount: 1 },
  })
  expect(result?.summary).toBe(
    'Deployment aborted by bob. Revision 1 of the release has failed, and 1 of its objects is on the cluster: ConfigMap colours',
  )
  expect(statuses(app)).toEqual(['1 failed'])
  expect(await messages(action)).toContain('Aborted by bob: Helm is asked to end')
  expect(harness.grants.held.has(app.id)).toBe(false)
  expect(harness.fakeApps.records.get(app.id)).toMatchObject({ state: 'failed' })
  const failed = await mustBeRetryable(deps(), ann, action.id, accessOf(ann))
  const again = await retry(deps(), commandOf('Deploy', ann, { retryOf: action.id }, plain), failed)
  expect(await ended(again)).toMatchObject({ state: 'Success' })
})

test('an aborted upgrade names the revision to go back to, and an aborted deletion leaves a release that can be deleted', async () => {
  const app = await newApp()
  expect(await ended(await install(app))).toMatchObject({ state: 'Success' })
  const upgrade = await hanging(() => upgrading(app))
  expect(await abort(deps(), bob, upgrade.id, accessOf(bob))).toMatchObject({ state: 'Failed' })
  expect((await ended(upgrade)).leftBehind).toMatchObject({ release: 'failed', revision: 2, rollbackTo: 1 })
  expect(statuses(app)).toEqual(['2 failed', '1 deployed'])
  expect(await ended(await rollingBack(app, 1))).toMatchObject({ state: 'Success' })
  const deletion = await hanging(() => removing(app))
  await abort(deps(), bob, deletion.id, accessOf(bob))
  expect((await ended(deletion)).result?.summary).toMatch(
    /^Deletion aborted by bob\. Revision 3 of the release has failed/,
  )
  expect(await ended(await removing(app))).toMatchObject({ state: 'Success' })
  expect(statuses(app)).toEqual([])
})

test('what an abort was asked of before its portal was killed is ended by who takes over, and Helm is not started again', async () => {
  const app = await newApp()
  const action = await install(app, asleep())
  // A Helm was counted and had begun to write, and the abort was written down, when the portal was killed.
  await deps().db.platform((trx) =>
    sql`update action set attempt = 1, fence = 1, state = 'helm', base_revision = 0, aborted_by = 'bob'
      where id = ${action.id}`.execute(trx),
  )
  await ended(await installElsewhere())
  const [revision] = structuredClone(harness.releases.get(nameOf(elsewhere)) ?? [])
  if (!revision) throw new Error('there is no revision to copy')
  const pending = { ...revision, status: 'pending-install', labels: { [actionLabel]: action.id } }
  harness.releases.set(nameOf(app), [pending])
  const { runs } = harness.state
  const data = { actionId: action.id, tenantId: action.tenant_id }
  await deps().db.platform((trx) => deps().jobs.send(trx, queueOf(action.kind), action.id, data))
  expect(await ended(action)).toMatchObject({
    ...{ state: 'Failed', abortedBy: 'bob' },
    leftBehind: { release: 'failed', revision: 1 },
  })
  expect(harness.state.runs).toBe(runs)
  expect(statuses(app)).toEqual(['1 failed'])
})

test('an abort whose word got lost is heard with the next beat of the lease', async () => {
  const app = await newApp()
  const action = await hanging(() => install(app))
  await deps().db.platform((trx) => sql`update action set aborted_by = 'bob' where id = ${action.id}`.execute(trx))
  expect(await ended(action)).toMatchObject({ state: 'Failed', abortedBy: 'bob' })
  expect(statuses(app)).toEqual(['1 failed'])
}, 30_000)

test('an abort ends at once when the cluster is away, and says that nobody knows what is left', async () => {
  const app = await newApp()
  const action = await hanging(() => install(app))
  harness.state.isAway = true
  await abort(deps(), bob, action.id, accessOf(bob))
  const { result, leftBehind } = await ended(action)
  expect(leftBehind).toMatchObject({ release: 'unknown' })
  expect(result?.summary).toMatch(/^Deployment aborted by bob\. What is left of it is unknown/)
  expect(harness.fakeApps.records.get(app.id)?.state).not.toBe('deploying')
})

test('one that waits is cancelled instead, one that has ended is not aborted, and strangers find none', async () => {
  const app = await newApp()
  const waits = await install(app, asleep())
  await expect(abort(deps(), eve, waits.id, accessOf(eve))).rejects.toMatchObject({
    code: 'deployment.action-not-found',
  })
  expect(await abort(deps(), bob, waits.id, accessOf(bob))).toMatchObject({ cancelled_by: 'bob', aborted_by: null })
  await expect(abort(deps(), bob, waits.id, accessOf(bob))).rejects.toMatchObject({
    code: 'deployment.not-abortable',
  })
  const deployed = await newApp()
  await ended(await install(deployed))
  const upgrade = await hanging(() => upgrading(deployed))
  const onlyDeploys = { ...accessOf(bob), scopes: new Set(['app.view', 'space.deploy'] as const) }
  await expect(abort(deps(), bob, upgrade.id, onlyDeploys)).rejects.toMatchObject({ code: 'auth.forbidden' })
  expect((await now(upgrade)).running).toBe(true)
  await abort(deps(), ann, upgrade.id, accessOf(ann))
  await expect(abort(deps(), bob, upgrade.id, accessOf(bob))).rejects.toMatchObject({
    code: 'deployment.not-abortable',
  })
})

test('a deployment ends early with the reason when nothing can become ready, unless somebody chose to wait', async () => {
  const { watchRelease } = harness.clusters
  const because = 'Container app of pod web-x cannot pull its image shop/web:9: not found'
  harness.clusters.watchRelease = (_, __, more) => {
    more?.onHopeless?.([{ key: 'image', graceSeconds: 1, because }])
    return { stop: () => undefined }
  }
  try {
    const app = await newApp()
    harness.scripts.push('never ends')
    const action = await install(app)
    const { result, leftBehind, abortedBy } = await ended(action)
    expect(result?.summary).toMatch(
      /^Deployment failed: Container app of pod web-x cannot pull its image shop\/web:9: not found\. Given up after \d+ s, because nothing becomes ready of it by itself$/,
    )
    expect({ abortedBy, release: leftBehind?.release }).toEqual({ abortedBy: null, release: 'failed' })
    expect(statuses(app)).toEqual(['1 failed'])
    const patient = await newApp()
    const waits = await hanging(() => install(patient, deps(), { giveUpEarly: false }))
    // Twice the grace later it still waits.
    const until = performance.now() + 2000
    await expect.poll(() => performance.now() > until, { timeout: 5000 }).toBe(true)
    expect((await now(waits)).running).toBe(true)
    await abort(deps(), ann, waits.id, accessOf(ann))
    harness.scripts.push('timeout, failed')
    expect((await ended(await install(patient, deps(), { giveUpEarly: false }))).result?.summary).toBe(
      `Deployment failed: ${because}. The time limit of 60 s is over`,
    )
  } finally {
    harness.clusters.watchRelease = watchRelease
  }
}, 30_000)

test('four deployments that only wait hold nobody up', async () => {
  const { watchRelease } = harness.clusters
  const stuck: ActionRow[] = []
  // The portal's own watch sees what each Helm has written.
  harness.clusters.watchRelease = ({ releaseName }, _, more) => {
    const timer = setInterval(() => {
      const newest = harness.releases.get(releaseName)?.[0]
      if (newest) void more?.onRelease(structuredClone(newest))
    }, 50)
    return { stop: () => clearInterval(timer) }
  }
  try {
    for (let nth = 0; nth < 4; nth += 1) {
      const app = await newApp()
      stuck.push(await hanging(() => install(app)))
    }
    const before = performance.now()
    expect(await ended(await install(await newApp()))).toMatchObject({ state: 'Success' })
    expect(performance.now() - before).toBeLessThan(10_000)
    expect(harness.state.atOnce).toBe(4)
  } finally {
    harness.clusters.watchRelease = watchRelease
    for (const { id } of stuck) await abort(deps(), ann, id, accessOf(ann))
  }
}, 60_000)

let elsewhere: App
async function installElsewhere(): Promise<ActionRow> {
  elsewhere = await newApp()
  return install(elsewhere)
}
