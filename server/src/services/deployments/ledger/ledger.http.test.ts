import type { App } from '@quayside/contract/apps/endpoints'
import { World } from '@quayside/embedded/world'
import { sql } from 'kysely'
import pg from 'pg'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Actor } from '../../../platform/auth/actor.ts'
import { openDb } from '../../../platform/db/db.ts'
import { migrate } from '../../../platform/db/migrate.ts'
import { createEncryption } from '../../../platform/encryption/encryption.ts'
import { createLogger } from '../../../platform/logging/logger.ts'
import { commandOf } from '../commands/accept.ts'
import { assign } from '../commands/assign.ts'
import { clearFormer, deleteSpace } from '../commands/clear.ts'
import { type CommandInput, encryptInput } from '../commands/command-input.ts'
import { deploy, upgrade } from '../commands/deploy.ts'
import { cancel } from '../commands/ending/cancel.ts'
import { markCancelled } from '../commands/ending/cancel-store.ts'
import { prepare } from '../commands/prepare.ts'
import { remove } from '../commands/remove.ts'
import { mustBeRetryable, retry } from '../commands/retry.ts'
import { rollback } from '../commands/rollback.ts'
import { claim, releaseLease } from '../engine/lease-store.ts'
import { queueOf } from '../engine/queues.ts'
import { settleUnknown } from '../engine/reconcile-unknown.ts'
import { steps } from '../migrations.ts'
import { releaseNameOf } from '../releases/release-name.ts'
import { accessOfRevision } from '../releases/revision-access.ts'
import { findAction, findRunning, findStarters, listActions } from '../store.ts'
import type { ActionRow } from '../tables.ts'
import { deployDataFor } from '../testing/fake-apps.ts'
import { accessOf, createHarness, type Harness, looking, people, readerOf } from '../testing/harness.ts'
import { actionOf, eventsOf } from './queries.ts'
import { forgetSome } from './retention-store.ts'

let world: World
let harness: Harness
const sockets: Socket[] = []
const { ann, bob, eve } = people
const plain = { headers: {} }
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const day = 24 * 3600

beforeAll(async () => {
  world = await World.start({ portal: false, identity: false, cluster: false })
  harness = await createHarness(world.databaseUrl)
})
afterEach(() => {
  vi.useRealTimers()
  for (const socket of sockets.splice(0)) socket.disconnect()
  Object.assign(harness.state, { isAway: false, lines: [] })
  harness.scripts.length = 0
})
afterAll(async () => {
  await harness?.close()
  await world?.close()
})

const deps = () => harness.first.deps
const asleep = () => ({ ...deps(), jobs: { ...deps().jobs, send: async () => undefined } })
const groupNamed = (name: string) => [{ id: undefined, name, resourceRoles: [] }]

/** Spaces of actions, one after the other, that fill the eight places of a replica; the last one stands in line. */
const fillingSpaces = ['1', '1', '1', '1', '2', '2', '3', '4', '5'].map((nth) => `space0${nth}`)

function newApp(spaceId = 'space01'): Promise<App> {
  const child = { item: { id: 'item1' }, version: { id: 'v1' } }
  const body = { tenantId: 't1', spaceId, clusterId: 'c1', catalogChild: child, socketId: null }
  return assign(deps(), commandOf('Assign', ann, body, plain), body)
}

interface How {
  as?: Actor
  by?: ReturnType<typeof deps>
  request?: { headers: Record<string, string> }
  group?: string
  yaml?: string
}

function install(app: App, { as = ann, by = deps(), request = plain, group, yaml }: How = {}) {
  const deployData = { ...deployDataFor(app, yaml), groups: group ? groupNamed(group) : [] }
  const releaseName = releaseNameOf('web', app.identifier)
  const body = { appId: app.id, versionId: 'v1', releaseName, deployData, socketId: null }
  return deploy(by, commandOf('Deploy', as, body, request), body)
}

function upgrading(app: App, { group, by = deps() }: How = {}) {
  const deployData = { ...deployDataFor(app), groups: group ? groupNamed(group) : [] }
  const body = { appId: app.id, versionId: 'v1', deployData, socketId: null }
  return upgrade(by, commandOf('Upgrade', ann, body, plain), body)
}

function preparing(by = deps()) {
  const about = { catalogItemType: 'App', appKind: 'web', appType: 'Containerized' } as const
  const body = { catalogItemId: 'item1', catalogVersionId: 'v1', ...about, socketId: null }
  return prepare(by, commandOf('Prepare', ann, body, plain), body)
}

function removing(app: App) {
  const body = { app: { id: app.id }, socketId: null }
  return remove(deps(), commandOf('Delete', ann, body, plain), body, accessOf(ann))
}

const rollingBack = (app: App, revision: number) => {
  const body = { appId: app.id, revision, socketId: null }
  return rollback(deps(), commandOf('Rollback', ann, body, plain), body)
}

async function ended(action: { id: string }) {
  const row = await actionOf(harness.first, 't1', action.id, 30, looking)
  expect(row.running).toBe(false)
  return row
}
const events = (action: { id: string }) => eventsOf(deps(), 't1', action.id, { after: 0, access: looking.access })
const messages = async (action: { id: string }) =>
  (await events(action)).map(({ payload }) => (payload as { message?: string }).message)
const said = async (action: { id: string }) =>
  (await events(action)).flatMap(({ event }) => (event === 'message' ? [] : event))

async function woken(action: ActionRow): Promise<ActionRow> {
  const data = { actionId: action.id, tenantId: action.tenant_id }
  await deps().db.platform((trx) => deps().jobs.send(trx, queueOf(action.kind), action.id, data))
  return action
}

async function rows<Row>(text: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return deps().db.platform(async (trx) => (await text.execute(trx)).rows)
}

const actionsOfApp = async (app: App) =>
  (
    await listActions(deps().db, readerOf('t1'), {
      filters: { appId: app.id },
      sort: {},
      page: { skip: 0, limit: 100 },
    })
  ).rows

async function connect(token: string) {
  const socket = io(harness.first.url, { path: '/deployment/socket.io', auth: { token }, forceNew: true })
  sockets.push(socket)
  const heard: { seq: number; actionId: string }[] = []
  socket.onAny((_, payload: { seq?: number; actionId: string }) => {
    if (payload.seq !== undefined) heard.push({ seq: payload.seq, actionId: payload.actionId })
  })
  const ask = (event: string, what: unknown) => socket.timeout(20_000).emitWithAck(event, what)
  return { heard, ask }
}

test('what an action tells, in this order and in these shapes', async () => {
  const app = await newApp()
  const installed = await install(app, { group: 'Cooks' })
  await ended(installed)
  expect(await said(installed)).toEqual(['IAM', 'helmresult', 'Deploy'])
  const upgraded = await upgrading(app)
  await ended(upgraded)
  expect(await said(upgraded)).toEqual(['helmresult', 'Upgrade'])
  const back = await rollingBack(app, 1)
  await ended(back)
  expect(await said(back)).toEqual(['helmresult', 'Rollback'])
  const gone = await removing(app)
  await ended(gone)
  expect(await said(gone)).toEqual(['IAM', 'helmresult', 'Delete'])
  for (const { event, payload } of (await Promise.all([installed, upgraded, back, gone].map(events))).flat()) {
    const fields = Object.keys(payload as object).sort()
    const expected = { message: ['level', 'message', 'type'], IAM: ['msg', 'type'] }[event as 'message' | 'IAM']
    expect(fields).toEqual(expected ?? ['lines', 'state', 'summary'])
  }
})

test('values that cannot be prepared are told by the event that is waited for', async () => {
  const action = await preparing(asleep())
  await rows(sql`update action set version_id = 'gone' where id = ${action.id} returning id`)
  await woken(action)
  expect(await ended(action)).toMatchObject({ state: 'Failed', prepared: null })
  expect((await events(action)).at(-1)).toMatchObject({ event: 'Prepare', payload: { state: 1 } })
  const well = await preparing()
  await ended(well)
  const told = (await events(well)).filter(({ event }) => event === 'Prepare')
  expect(told).toMatchObject([{ payload: { catalogVersionId: 'v1' } }])
})

test('the second one is told by name who does what', async () => {
  const app = await newApp()
  const first = await install(app, { by: asleep() })
  const text = `Deploy of ${app.displayName}, started by ann, is still running.`
  await expect(install(app, { as: bob })).rejects.toMatchObject({ status: 409, message: text })
  await ended(await woken(first))
})

test('everybody who has started something is named once, to the own tenant alone', async () => {
  for (const who of [bob, ann, ann]) await ended(await install(await newApp(), { as: who }))
  expect(await findStarters(deps().db, readerOf('t1'))).toEqual(['ann', 'bob'])
  expect(await findStarters(deps().db, readerOf('t2'))).not.toContain('ann')
})

test('a key belongs to a person and to one command; that of somebody else is another one', async () => {
  const app = await newApp()
  const first = await install(app, { request: keyed('shared') })
  await ended(first)
  expect((await install(app, { request: keyed('shared') })).id).toBe(first.id)
  const ofBob = await install(await newApp(), { request: keyed('shared'), as: bob })
  expect(ofBob.id).not.toBe(first.id)
  await ended(ofBob)
  const body = { app: { id: app.id }, socketId: null }
  await expect(
    remove(deps(), commandOf('Delete', ann, body, keyed('shared')), body, accessOf(ann)),
  ).rejects.toMatchObject({
    code: 'request.key-reused',
  })
  // In another tenant the key is not taken: its own check refuses the foreign app.
  await expect(install(app, { request: keyed('shared'), as: eve })).rejects.not.toMatchObject({
    code: 'request.key-reused',
  })
})

test.each([[-1], [1.5], [Number.NaN], ['3'], [1e300], [null]])('a lastSeq of %s is refused', async (lastSeq) => {
  const { ask } = await connect('ann')
  expect(await ask('register', { releaseName: 'some-release', lastSeq })).toMatchObject({
    ok: false,
    code: 'request.invalid',
  })
})

test('whoever says to have heard more than there is hears what comes next; a foreign release is as if there was none', async () => {
  const app = await newApp()
  const releaseName = releaseNameOf('web', app.identifier)
  await ended(await install(app))
  const lastSeq = Number.MAX_SAFE_INTEGER
  const [mine, foreign] = [await connect('bob'), await connect('eve')]
  const nothing = { ok: true, actionId: null, lastSeq: 0 }
  expect(await mine.ask('register', { releaseName, lastSeq })).toEqual(nothing)
  expect(await foreign.ask('register', { releaseName, lastSeq: 1 })).toEqual(nothing)
  const next = await upgrading(app)
  await ended(next)
  const all = (await events(next)).map(({ seq }) => ({ seq, actionId: next.id }))
  await expect.poll(() => mine.heard).toEqual(all)
  expect(foreign.heard).toEqual([])
})

test('who loses the role hears nothing more, although the socket stays', async () => {
  const app = await newApp()
  const releaseName = releaseNameOf('web', app.identifier)
  const [less, still] = [await connect('bob'), await connect('ann')]
  for (const { ask } of [less, still]) expect(await ask('register', { releaseName })).toMatchObject({ ok: true })
  expect(await less.ask('token', 'less')).toBe(true)
  const action = await install(app)
  await ended(action)
  await expect.poll(async () => still.heard.length).toBe((await events(action)).length)
  expect(less.heard).toEqual([])
})

test('what somebody wrote by hand is not done again by who may not', async () => {
  const app = await newApp()
  harness.scripts.push('timeout, failed')
  const failed = await install(app, { yaml: 'replicas: 2\nsidecar: true\n' })
  await ended(failed)
  const again = async (actor: Actor) =>
    retry(
      deps(),
      commandOf('Deploy', actor, { retryOf: failed.id }, plain),
      await mustBeRetryable(deps(), actor, failed.id, accessOf(actor)),
    )
  await expect(again(people.carl)).rejects.toMatchObject({ status: 400, details: { keys: ['sidecar'] } })
  expect(await ended(await again(bob))).toMatchObject({ state: 'Success', startedBy: 'bob' })
})

test('what waits is cancelled from any replica; what has begun goes on, wherever it is', async () => {
  const other = await harness.startReplica({ works: false })
  const waits = await install(await newApp(), { by: asleep() })
  expect(await cancel(other.deps, bob, waits.id, accessOf(bob))).toMatchObject({ state: 'Failed' })
  const summary = 'Cancelled by bob before it began'
  expect((await ended(waits)).result?.summary).toBe(summary)
  const lines = (await events(waits)).map(({ payload }) => (payload as { message?: string }).message)
  expect(lines.slice(0, 2)).toEqual([summary, 'Deploy result of App: Failed'])

  harness.scripts.push('never ends')
  const runs = await install(await newApp())
  const now = () => actionOf({ ...harness.first, deps: other.deps }, 't1', runs.id, 0, looking)
  const mayNot = () =>
    expect(cancel(other.deps, bob, runs.id, accessOf(bob))).rejects.toMatchObject({ code: 'deployment.not-waiting' })
  await expect.poll(() => harness.state.atOnce, { timeout: 20_000 }).toBe(1)
  expect(await now()).toMatchObject({ state: 'helm', cancellable: false })
  await mayNot()
  await harness.first.end()
  expect(await now()).toMatchObject({ running: true })
  await mayNot()
  harness.first = await harness.startReplica()
  expect(await ended(runs)).toMatchObject({ state: 'Success' })
  await mayNot()
  await other.end()
})

test('a deletion that was cut twice leaves its reason in the release, where the app has its message from', async () => {
  const app = await newApp()
  const { releaseName } = await ended(await install(app))
  harness.scripts.push('killed, pending', 'killed, pending')
  expect(await ended(await removing(app))).toMatchObject({ state: 'Failed' })
  expect(harness.releases.get(releaseName ?? '')?.[0]).toMatchObject({
    status: 'failed',
    description: expect.stringMatching(/^Interrupted: The deletion did not come to its end: Helm was stopped: /),
  })
  expect(await ended(await removing(app))).toMatchObject({ state: 'Success' })
})

test('what stands in line says so in its log, once, and so does what waits for Helm', async () => {
  const told = async (of: { id: string }) =>
    (await events(of)).map(({ payload }) => (payload as { message?: string }).message)
  harness.scripts.push(...Array.from({ length: 4 }, () => 'never ends' as const))
  const all: ActionRow[] = []
  for (const spaceId of fillingSpaces) all.push(await install(await newApp(spaceId)))
  const place = 'Waiting for one of the 4 places for Helm'
  const line = /^Waiting in line: this begins when one of the actions that were accepted before it has ended$/
  const saying = async (what: RegExp | string) => {
    const logs = await Promise.all(all.map(told))
    return logs.map(
      (log) => log.filter((one) => (typeof what === 'string' ? one === what : what.test(one ?? ''))).length,
    )
  }
  const sorted = async (what: RegExp | string) => (await saying(what)).sort()
  await expect.poll(() => sorted(place), { timeout: 30_000 }).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1])
  await expect.poll(() => sorted(line), { timeout: 30_000 }).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1])
  const other = await harness.startReplica()
  await harness.first.end()
  harness.first = other
  expect((await Promise.all(all.map(ended))).map(({ state }) => state)).toEqual(all.map(() => 'Success'))
  expect(await sorted(line)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1])
}, 120_000)

test('what waits for a place for Helm is cancelled from any replica: nobody is let in, and the app is as it was', async () => {
  const inFront: { id: string }[] = []
  harness.scripts.push(...Array.from({ length: 4 }, () => 'never ends' as const))
  for (const spaceId of fillingSpaces.slice(0, 8)) inFront.push(await install(await newApp(spaceId)))
  await expect.poll(() => harness.state.atOnce, { timeout: 20_000 }).toBe(4)
  // The first replica has its hands full: this one is taken up by the other, and finds every place taken.
  const [second, third] = [await harness.startReplica(), await harness.startReplica({ works: false })]
  const app = await newApp(fillingSpaces[8])
  const last = await install(app)
  const lines = async (of: { id: string }) =>
    (await events(of)).map(({ payload }) => (payload as { message?: string }).message)
  await expect.poll(() => lines(last), { timeout: 20_000 }).toContain('Waiting for one of the 4 places for Helm')
  expect(harness.grants.held.has(app.id)).toBe(true)
  const runs = harness.state.runs
  const inLine = async () => {
    const all = await Promise.all(inFront.map(({ id }) => actionOf(harness.first, 't1', id, 0, looking)))
    return all.filter(({ state, cancellable }) => state === 'helm' && cancellable)
  }
  await expect.poll(async () => (await inLine()).length, { timeout: 20_000 }).toBe(4)
  const [waits] = await inLine()
  for (const { id, appId } of [waits, { id: last.id, appId: app.id }] as { id: string; appId: string }[]) {
    expect(await cancel(third.deps, bob, id, accessOf(bob))).toMatchObject({ state: 'Failed', attempt: 0 })
    const summary = 'Cancelled by bob before Helm was started'
    expect((await ended({ id })).result?.summary).toBe(summary)
    expect(await lines({ id })).toEqual(
      expect.arrayContaining(['Taking back the access of the cancelled deployment', summary]),
    )
    expect(harness.grants.held.has(appId)).toBe(false)
    expect(harness.fakeApps.records.get(appId)).toMatchObject({ state: 'assigned', releaseName: null })
    await expect(cancel(third.deps, bob, id, accessOf(bob))).rejects.toMatchObject({ code: 'deployment.not-waiting' })
  }
  expect(harness.state.runs).toBe(runs)
  await harness.first.end()
  harness.first = second
  const others = await Promise.all(inFront.filter(({ id }) => id !== waits?.id).map(ended))
  expect(others.map(({ state }) => state)).toEqual(others.map(() => 'Success'))
  expect(await ended(await install(app))).toMatchObject({ state: 'Success' })
  await third.end()
}, 90_000)

test('what is cancelled while it waits for the identity server ends at once and lets nobody in', async () => {
  const told = async (of: { id: string }) =>
    (await events(of)).map(({ payload }) => (payload as { message?: string }).message)
  const waitsFor = 'Waiting for the identity server, trying again in 60 s'
  const app = await newApp()
  harness.grants.isAway = true
  const action = await install(app)
  await expect.poll(() => told(action), { timeout: 20_000 }).toContain(waitsFor)
  expect(harness.grants.held.has(app.id)).toBe(true)
  expect(await cancel(deps(), bob, action.id, accessOf(bob))).toMatchObject({ state: 'Failed', cancelled_by: 'bob' })
  expect(await told(action)).toContain('Cancelled by bob before Helm was started')
  expect(harness.grants.held.has(app.id)).toBe(false)
  expect(harness.fakeApps.records.get(app.id)).toMatchObject({ state: 'assigned', releaseName: null })

  // Access that cannot be taken back stays recorded with the app, and deleting the app takes it back.
  const second = await install(app)
  await expect.poll(() => told(second), { timeout: 20_000 }).toContain(waitsFor)
  harness.grants.result = 'RolesFailed'
  await cancel(deps(), bob, second.id, accessOf(bob))
  expect(await told(second)).toContain('A role could not be removed')
  expect(harness.fakeApps.records.get(app.id)).toMatchObject({ state: 'failed', releaseName: expect.any(String) })
  Object.assign(harness.grants, { isAway: false, result: 'Success' })
  expect(await ended(await removing(app))).toMatchObject({ state: 'Success' })
  expect(harness.grants.held.has(app.id)).toBe(false)
}, 60_000)

test('what is cancelled while its access is set up, or when nobody holds it any more, lets nobody in', async () => {
  const { grantAccess } = deps().access
  const gate = Promise.withResolvers<void>()
  const runs = harness.state.runs
  const app = await newApp()
  deps().access.grantAccess = async (...given) => {
    await gate.promise
    return grantAccess(...given)
  }
  try {
    const action = await install(app)
    await expect.poll(async () => (await events(action)).length, { timeout: 20_000 }).toBeGreaterThan(0)
    const cancelling = cancel(deps(), ann, action.id, accessOf(ann))
    // The grant goes on when the cancellation is written, not a moment before.
    await expect
      .poll(async () => (await findAction(deps().db, 't1', action.id))?.cancelled_by, { timeout: 20_000 })
      .toBe('ann')
    gate.resolve()
    expect(await cancelling).toMatchObject({ state: 'Failed', cancelled_by: 'ann' })
  } finally {
    deps().access.grantAccess = grantAccess
  }
  expect(harness.grants.held.has(app.id)).toBe(false)
  // Its holder is gone in the middle of its grant, of which the ledger knows nothing.
  const left = await install(app, { by: asleep() })
  const held = await claim(deps().db, left.id, 'gone', 30)
  expect(held && (await releaseLease(deps().db, held))).toBe(true)
  harness.grants.held.add(app.id)
  expect(await markCancelled(deps().db, left.id, 'bob')).toBe(true)
  expect((await ended(await woken(left))).result?.summary).toBe('Cancelled by bob before Helm was started')
  expect([harness.grants.held.has(app.id), harness.state.runs]).toEqual([false, runs])
  expect(harness.fakeApps.records.get(app.id)).toMatchObject({ state: 'assigned' })
})

test('whoever takes over behind a timeout tells the hook result that people were told to wait for', async () => {
  harness.scripts.push('timeout, failed, and the cluster is away')
  const app = await newApp()
  const action = await install(app)
  const told = async () => (await events(action)).filter(({ event }) => event !== 'message').map(({ event }) => event)
  await expect.poll(told, { timeout: 20_000 }).toEqual(['IAM', 'helmresult'])
  await harness.first.end()
  harness.state.isAway = false
  harness.first = await harness.startReplica()
  expect(await ended(action)).toMatchObject({ state: 'Failed' })
  expect(await told()).toEqual(['IAM', 'helmresult', 'hookresult', 'Deploy'])
})

test('an app that was installed anew begins its revisions anew, and whom they let in', async () => {
  const app = await newApp()
  const letIn = async (revision: number | 'newest') =>
    (await accessOfRevision(deps().db, 't1', app.id, revision))?.map(({ name }) => name)
  await ended(await install(app, { group: 'First' }))
  await ended(await upgrading(app, { group: 'Second' }))
  expect([await letIn(1), await letIn('newest')]).toEqual([['First'], ['Second']])
  harness.releases.delete(releaseNameOf('web', app.identifier))
  expect(await ended(await install(app, { group: 'Third' }))).toMatchObject({ state: 'Success' })
  expect(await letIn('newest')).toEqual(['Third'])
  await ended(await upgrading(app))
  expect([await letIn(1), await letIn(2)]).toEqual([['Third'], ['Third']])
})

test('a cluster that stays away leaves the outcome unknown; when it is back, its release is freed by itself', async () => {
  const app = await newApp()
  const release = () => harness.releases.get(releaseNameOf('web', app.identifier))?.map(({ status }) => status)
  harness.scripts.push('killed, pending, and the cluster is away')
  const action = await install(app)
  await expect
    .poll(() => messages(action), { timeout: 20_000 })
    .toContain('The cluster does not answer, waiting for it')
  await rows(
    sql`update action set unreachable_since = clock_timestamp() - interval '16 minutes' where id = ${action.id}`,
  )
  expect((await ended(action)).result?.summary).toContain('The outcome is unknown')
  await settleUnknown(deps())
  expect([release(), (await actionsOfApp(app)).length]).toEqual([['pending-install'], 2])

  harness.state.isAway = false
  await Promise.all([settleUnknown(deps()), settleUnknown(deps())])
  const [repair] = await actionsOfApp(app)
  expect(repair).toMatchObject({ kind: 'Repair', started_by: 'quayside' })
  await ended({ id: repair?.id ?? '' })
  expect(release()).toEqual(['failed'])
  await settleUnknown(deps())
  expect((await actionsOfApp(app)).map(({ kind }) => kind)).toEqual(['Repair', 'Deploy', 'Assign'])
})

test('a namespace whose space was being deleted when clusters were asked for former spaces is not deleted again', async () => {
  const body = { spaceId: 'space01' }
  const place = { spaceId: 'space01', namespace: 'team-space01', clusterId: 'c1', clusterName: 'Sandbox' }
  const former = { tenantId: 't1', ...place, isUsed: false, isKnown: true, isInUse: false }
  const records = { ...deps().spaces, record: async () => undefined }
  const look = (spacesOnClusters: () => Promise<(typeof former)[]>) =>
    clearFormer({ ...deps(), spaces: records, clusters: { ...deps().clusters, spacesOnClusters } })
  const deletions = () => rows(sql`select id from action where kind = 'DeleteSpace'`)
  await look(async () => {
    await ended(await deleteSpace(deps(), commandOf('DeleteSpace', ann, body, plain), 'space01'))
    return [former]
  })
  expect(await deletions()).toHaveLength(1)
  await look(async () => [former])
  expect(await deletions()).toHaveLength(2)
  for (const { id } of await rows(sql<{ id: string }>`select id from action where kind = 'DeleteSpace'`))
    await ended({ id })
})

test('a replica whose clock is an hour off takes nothing over and gives nothing up', async () => {
  harness.scripts.push('killed, pending, and the cluster is away', 'well')
  const action = await install(await newApp())
  await expect
    .poll(() => messages(action), { timeout: 20_000 })
    .toContain('The cluster does not answer, waiting for it')
  for (const hours of [1, -1]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 })
    const misses = harness.state.looks
    await expect.poll(() => harness.state.looks, { timeout: 20_000 }).toBeGreaterThan(misses)
    expect(await claim(deps().db, action.id, 'somebody', deps().config.leaseSeconds)).toBeUndefined()
    vi.useRealTimers()
  }
  harness.state.isAway = false
  expect(await ended(action)).toMatchObject({ state: 'Success' })
  expect(await rows(sql`select fence from action where id = ${action.id}`)).toEqual([{ fence: '1' }])
}, 60_000)

test('two absences of a cluster are not one long one', async () => {
  const app = await newApp()
  await ended(await install(app))
  harness.scripts.push('killed, pending, and the cluster is away', 'never ends')
  const action = await upgrading(app)
  await expect
    .poll(() => messages(action), { timeout: 20_000 })
    .toContain('The cluster does not answer, waiting for it')
  harness.state.isAway = false
  const away = () =>
    rows(sql<{ since: Date | null }>`select unreachable_since as since from action where id = ${action.id}`)
  await expect.poll(away, { timeout: 20_000 }).toEqual([{ since: null }])
  await harness.first.end()
  harness.first = await harness.startReplica()
  expect(await ended(action)).toMatchObject({ running: false })
}, 60_000)

test('ten thousand actions are paged without a gap or a double, and are those of one tenant', async () => {
  await rows(sql`insert into action (id, tenant_id, kind, state, app_name, started_by, started_by_id, digest, input,
      space_name, accepted_at, final_at)
    select 'many-' || n, case when n % 10 = 0 then 't2' else 't1' end, 'Deploy', 'Failed', 'Web', 'mary' || n % 7, 'm', 'd',
      repeat('x', 2000), 'Many', clock_timestamp() - make_interval(secs => n / 4), clock_timestamp()
    from generate_series(1, 10000) as n`)
  const page = (skip: number, tenantId = 't1', filters: Record<string, unknown> = {}) =>
    listActions(deps().db, readerOf(tenantId), { search: 'Many', filters, sort: {}, page: { skip, limit: 1000 } })
  const seen = new Set<string>()
  for (let skip = 0; skip < 9000; skip += 1000) for (const { id } of (await page(skip)).rows) seen.add(id)
  expect([seen.size, (await page(0)).total, (await page(0, 't2')).total]).toEqual([9000, 9000, 1000])
  expect((await page(0, 't1', { startedBy: 'mary3', state: 'Failed' })).total).toBe(
    Array.from({ length: 10_000 }, (_, index) => index + 1).filter((n) => n % 7 === 3 && n % 10 !== 0).length,
  )
  expect((await page(0, 't1', { state: 'running' })).total).toBe(0)
  await rows(sql`delete from action where space_name = 'Many' returning id`)
})

test('actions are forgotten with their lines after a while, not with what apps still need of them', async () => {
  const aged = async (action: { id: string }, days: number) =>
    rows(sql`update action set final_at = clock_timestamp() - make_interval(secs => ${days * day}),
      accepted_at = accepted_at - make_interval(secs => ${days * day}) where id = ${action.id} returning id`)
  const [lives, went] = [await newApp(), await newApp()]
  const install1 = await install(lives)
  const install2 = await install(went, { request: keyed('long-ago') })
  const deletion = await ended(install2).then(() => removing(went))
  const prepared = [await preparing(), await preparing()] as const
  for (const each of [install1, deletion, ...prepared]) await ended(each)
  for (const each of [install1, install2]) await aged(each, 366)
  await aged(prepared[0], 9)
  await aged(prepared[1], 7)
  while (await forgetSome(deps().db, 365));
  const ids = [install1, install2, deletion, ...prepared].map(({ id }) => id)
  const left = await rows(sql<{ id: string }>`select id from action where id = any(${ids})`)
  expect(left.map(({ id }) => id).sort()).toEqual([install1, deletion, prepared[1]].map(({ id }) => id).sort())
  const lines = await rows(
    sql<{ id: string }>`select distinct action_id as id from action_event where action_id = any(${ids})`,
  )
  expect(lines.map(({ id }) => id)).not.toContain(install2.id)
  expect(await rows(sql`select id from action_audit where action_id = ${install2.id}`)).toHaveLength(2)
  // The key went with its action.
  const again = await newApp()
  await ended(await install(again, { request: keyed('long-ago') }))
})

test('an action that the first version of the ledger has accepted is carried out by this one', async () => {
  const admin = new pg.Client({ connectionString: world.databaseUrl })
  await admin.connect()
  await admin.query('create database older')
  await admin.end()
  const url = world.databaseUrl.replace(/\/[^/?]+(\?|$)/, '/older$1')
  const db = openDb(url, createLogger('silent'))
  await migrate(db, steps.slice(0, 1))
  const encryption = createEncryption('a secret key for tests, long enough')
  const input = {
    kind: 'Deploy' as const,
    yaml: 'replicas: 2\n',
    secretPaths: [],
    groups: [],
    realm: 't1',
  } satisfies CommandInput
  await db.platform((trx) =>
    sql`insert into action (id, tenant_id, kind, state, app_name, app_id, release_key, release_name, namespace,
        cluster_id, space_id, version_id, version, started_by, started_by_id, digest, input, lease_until)
      values ('old', 't1', 'Deploy', 'accepted', 'Web', 'app1', 'c1/team-space01/web', 'web', 'team-space01',
        'c1', 'space01', 'v1', '1.0.0', 'ann', 'ann', 'd', ${encryptInput(encryption, 't1', 'old', input)},
        clock_timestamp() + interval '1 hour')`.execute(trx),
  )
  await db.close()
  const later = await createHarness(url)
  const template = await newApp()
  later.fakeApps.records.set('app1', { ...template, id: 'app1', releaseName: 'web' })
  expect(await findRunning(later.first.deps.db, 't1', { releaseKey: null, appId: 'app1' })).toMatchObject({ id: 'old' })
  // Nobody took it before its app was there.
  await later.first.deps.db.platform(async (trx) => {
    await sql`update action set lease_until = null where id = 'old'`.execute(trx)
    await later.first.deps.jobs.send(trx, queueOf('Deploy'), 'old', { actionId: 'old', tenantId: 't1' })
  })
  expect(await actionOf(later.first, 't1', 'old', 30, looking)).toMatchObject({ state: 'Success' })
  expect(later.releases.get('web')).toMatchObject([{ status: 'deployed', labels: { portalAction: 'old' } }])
  await later.close()
})
