import type { App } from '@quayside/contract/apps/endpoints'
import { usualRight } from '@quayside/contract/clusters/asked-right'
import { World } from '@quayside/embedded/world'
import { sql } from 'kysely'
import pg from 'pg'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fail } from '../../../platform/http/errors.ts'
import { accept, commandOf } from '../commands/accept.ts'
import { assign } from '../commands/assign.ts'
import { leaveCluster } from '../commands/clear.ts'
import { deploy, upgrade } from '../commands/deploy.ts'
import { abort } from '../commands/ending/abort.ts'
import { cancel } from '../commands/ending/cancel.ts'
import { prepare } from '../commands/prepare.ts'
import { remove } from '../commands/remove.ts'
import { retry } from '../commands/retry.ts'
import { rollback } from '../commands/rollback.ts'
import { noteChannel } from '../ledger/event-store.ts'
import { actionOf, eventsOf } from '../ledger/queries.ts'
import { releaseNameOf } from '../releases/release-name.ts'
import type { ActionRow } from '../tables.ts'
import { deployDataFor } from '../testing/fake-apps.ts'
import { accessOf, createHarness, type Harness, looking, people } from '../testing/harness.ts'
import type { Script } from '../testing/scripted-cluster.ts'
import { changeWorkload } from '../workloads/change-workload.ts'
import { append, claim, releaseLease } from './lease-store.ts'
import { queueOf } from './queues.ts'

let world: World
let harness: Harness
const sockets: Socket[] = []
const { ann, bob } = people
const plain = { headers: {} }
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

beforeAll(async () => {
  world = await World.start({ portal: false, identity: false, cluster: false })
  harness = await createHarness(world.databaseUrl)
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect()
  Object.assign(harness.state, { isAway: false, lines: [], lastLine: '', notes: '', manifest: '', verdicts: [] })
  Object.assign(harness.grants, { result: 'Success', onRevoked: async () => {} })
  harness.scripts.length = 0
})
afterAll(async () => {
  await harness?.close()
  await world?.close()
})

const deps = () => harness.first.deps
const child = { item: { id: 'item1' }, version: { id: 'v1' } }
const newApp = () => {
  const body = { tenantId: 't1', spaceId: 'space01', clusterId: 'c1', catalogChild: child, socketId: null }
  return assign(deps(), commandOf('Assign', ann, body, plain), body)
}
const install = (
  app: App,
  yaml?: string,
  request: { headers: Record<string, string> } = plain,
  actor = ann,
  by = deps(),
) => {
  const body = {
    appId: app.id,
    versionId: 'v1',
    releaseName: releaseNameOf('web', app.identifier),
    deployData: deployDataFor(app, yaml),
    socketId: null,
  }
  return deploy(by, commandOf('Deploy', actor, body, request), body)
}
/** Nobody is woken for what is accepted by these, so it waits for a while. */
const asleep = () => ({ ...deps(), jobs: { ...deps().jobs, send: async () => undefined } })
async function woken(action: ActionRow): Promise<ActionRow> {
  const data = { actionId: action.id, tenantId: action.tenant_id }
  await deps().db.platform((trx) => deps().jobs.send(trx, queueOf(action.kind), action.id, data))
  return action
}
const upgrading = (app: App) => {
  const body = { appId: app.id, versionId: 'v1', deployData: deployDataFor(app), socketId: null }
  return upgrade(deps(), commandOf('Upgrade', ann, body, plain), body)
}
const rollingBack = (app: App, revision: number) => {
  const body = { appId: app.id, revision, socketId: null }
  return rollback(deps(), commandOf('Rollback', ann, body, plain), body)
}
const removing = (app: App) => {
  const body = { app: { id: app.id }, socketId: null }
  return remove(deps(), commandOf('Delete', ann, body, plain), body, accessOf(ann))
}
const ended = async (action: { id: string }) => {
  const row = await actionOf(harness.first, 't1', action.id, 30, looking)
  expect(row.running).toBe(false)
  return row
}
const events = (action: { id: string }) => eventsOf(deps(), 't1', action.id, { after: 0, access: looking.access })
const statuses = (app: App) => (harness.releases.get(app.releaseName ?? '') ?? []).map((each) => each.status)

test('an app is assigned, deployed, upgraded, rolled back and deleted; the ledger tells it all', async () => {
  const app = await newApp()
  expect(app).toMatchObject({ state: 'assigned', namespace: 'team-space01', resourceRoles: [{ name: 'web.use' }] })
  const installed = await ended(await install(app))
  expect(installed).toMatchObject({ state: 'Success', result: { state: 0 }, iamResult: { type: 'Success' } })
  expect(harness.fakeApps.records.get(app.id)).toMatchObject({ state: 'healthy', revision: 1 })
  expect(harness.grants.held.has(app.id)).toBe(true)
  expect(await ended(await upgrading(app))).toMatchObject({ state: 'Success' })
  expect(await ended(await rollingBack(app, 1))).toMatchObject({ state: 'Success' })
  expect(statuses(app)).toEqual(['deployed', 'superseded', 'superseded'])
  const gone = await removing(app)
  expect(await ended(gone)).toMatchObject({ state: 'Success' })
  expect(harness.fakeApps.records.has(app.id)).toBe(false)
  expect(harness.grants.held.has(app.id)).toBe(false)
  const told = await events(gone)
  expect(told.map((each) => each.seq)).toEqual(told.map((_, index) => index + 1))
  expect(told.at(-1)).toMatchObject({ event: 'Delete', payload: { state: 0 } })
})

test('an approval that ends while its action waits for Helm counts no more', async () => {
  harness.state.verdicts.push('approved', 'approved')
  const [reached, runs] = [harness.state.reached, harness.state.runs]
  expect(await ended(await install(await newApp()))).toMatchObject({ state: 'Success' })
  expect([harness.state.reached, harness.state.runs]).toEqual([reached + 1, runs + 1])
  harness.state.verdicts.push('approved', 'ask')
  const late = await ended(await install(await newApp()))
  expect(late).toMatchObject({
    state: 'Failed',
    result: { summary: 'Deployment failed: StorageClass fast: ask' },
  })
  expect([harness.state.reached, harness.state.runs]).toEqual([reached + 1, runs + 1])
})

test('the texts are those that the screens know', async () => {
  const app = await newApp()
  const texts = async (action: { id: string }) => {
    await ended(action)
    return (await events(action)).flatMap((each) => (each.payload as { message?: string }).message ?? [])
  }
  expect(await texts(await install(app))).toContain('Deploy result of App: Success')
  expect(await texts(await upgrading(app))).toEqual(
    expect.arrayContaining([
      'Starting to Upgrade App ...... (This can take a while)',
      'Upgrade result of App: Success',
    ]),
  )
  const back = await texts(await rollingBack(app, 1))
  expect(back).toContain(`Starting rollback of ${app.id} to revision 1`)
  expect(back).toContain(`Rolling back ${app.id} to revision 1 ...`)
})

test.each<[Script[], string]>([
  [['exit 1, yet deployed'], 'Success'],
  [['exit 0, yet pending', 'well'], 'Success'],
  [['killed, pending', 'well'], 'Success'],
  [['crashed at once', 'well'], 'Success'],
  [['killed, pending', 'killed, pending'], 'Failed'],
  [['refused'], 'Failed'],
  [['timeout, failed'], 'Failed'],
])('Helm that goes %s: the cluster decides that it is %s, and nothing stays blocked', async (scripts, state) => {
  const app = await newApp()
  harness.scripts.push(...scripts)
  const action = await ended(await install(app))
  expect(action.state).toBe(state)
  expect(statuses(app).filter((status) => /pending|uninstalling/.test(status))).toEqual([])
  expect(harness.grants.held.has(app.id)).toBe(state === 'Success')
  expect(harness.fakeApps.records.get(app.id)?.state).toBe(state === 'Success' ? 'healthy' : 'failed')
  expect(await ended(await removing(app))).toMatchObject({ state: 'Success' })
})

test('an API that is not available to Helm is waited for, and such starts do not count', async () => {
  const app = await newApp()
  await ended(await install(app))
  const runs = harness.state.runs
  harness.scripts.push('turned away', 'turned away', 'killed, pending', 'well')
  const action = await upgrading(app)
  expect(await ended(action)).toMatchObject({ state: 'Success' })
  expect([harness.state.runs - runs, statuses(app)]).toEqual([4, ['deployed', 'failed', 'superseded']])
  const told = (await events(action)).map((each) => (each.payload as { message?: string }).message)
  const waited = 'The API of the cluster is not available to Helm, revision 1 stays deployed: trying again in'
  expect(told.filter((message) => message?.startsWith(waited))).toEqual([`${waited} 1 s`, `${waited} 2 s`])
})

test('a timeout is told as one, and the hook result ends it', async () => {
  const app = await newApp()
  harness.scripts.push('timeout, failed')
  const action = await install(app)
  await ended(action)
  const told = (await events(action)).filter((each) => each.event !== 'message')
  expect(told.map((each) => each.event)).toEqual(['IAM', 'helmresult', 'hookresult', 'Deploy'])
  expect(told[1]?.payload).toMatchObject({ state: 2, message: 'Timeout received, waiting for HELM...' })
  expect(told[2]?.payload).toMatchObject({ state: 1, summary: 'Deployment finished' })
})

test('what a failed installation left can be deployed over', async () => {
  const app = await newApp()
  harness.scripts.push('timeout, failed')
  await ended(await install(app))
  expect(await ended(await install(app))).toMatchObject({ state: 'Success' })
  expect(statuses(app)).toEqual(['deployed', 'failed'])
  await expect(install(app)).rejects.toMatchObject({ code: 'deployment.release-name-taken' })
})

test.each([
  ['GroupFaild', 'GroupFaild'],
  ['RolesFailed', 'RolesFailed'],
  ['RedirectUrisFailed', 'RedirectUrisFailed'],
  ['UnknownError', 'UnknownError'],
  ['breaks', 'UnknownError'],
] as const)('a deployment that nobody may enter is not deployed: %s', async (result, type) => {
  const app = await newApp()
  harness.grants.result = result
  const runs = harness.state.runs
  const action = await ended(await install(app))
  expect(action).toMatchObject({ state: 'Failed', iamResult: { type } })
  expect((await events(action)).filter(({ event }) => event === 'IAM')).toMatchObject([{ payload: { type } }])
  expect([harness.state.runs, harness.grants.held.has(app.id)]).toEqual([runs, false])
})

test('a release that cannot be unlocked at once is unlocked later: no action ends before', async () => {
  const app = await newApp()
  await ended(await install(app))
  const { clusters } = harness
  const { setReleaseStatus } = clusters
  const troubles = [
    () => fail('cluster.unreachable'),
    () => fail('cluster.refused', { message: 'The cluster answered 500.', details: { status: 500 } }),
  ]
  clusters.setReleaseStatus = async (...args) => {
    const trouble = troubles.shift()
    if (trouble) throw trouble()
    return setReleaseStatus(...args)
  }
  try {
    harness.scripts.push('killed, pending', 'killed, pending')
    const action = await ended(await upgrading(app))
    expect(action).toMatchObject({ state: 'Failed' })
    expect(troubles).toEqual([])
    expect(statuses(app)).toEqual(['failed', 'failed', 'deployed'])
    const { rows } = await deps().db.platform((trx) =>
      sql`select unreachable_since from action where id = ${action.id}`.execute(trx),
    )
    expect(rows).toEqual([{ unreachable_since: null }])
  } finally {
    clusters.setReleaseStatus = setReleaseStatus
  }
})

test('an action that is taken over after its access was taken back grants it anew before it succeeds', async () => {
  const app = await newApp()
  harness.scripts.push('refused', 'well')
  const action = await install(app, undefined, plain, ann, asleep())
  const heir = await harness.startReplica({ works: false })
  let takenOver: ActionRow | undefined
  harness.grants.onRevoked = async () => {
    harness.grants.onRevoked = async () => {}
    // A line that is being written holds the row, and a claim takes no row that is held.
    while (!takenOver) {
      await expire(action.id)
      takenOver = await claim(heir.deps.db, action.id, 'heir', 30)
    }
    await releaseLease(heir.deps.db, takenOver)
  }
  await woken(action)
  // The first one may not end what is not its own any more, and takes it up again.
  await expect
    .poll(async () => (await peek(await woken(action)))?.running, { interval: 200, timeout: 30_000 })
    .toBe(false)
  expect(await ended(action)).toMatchObject({ state: 'Success', iamResult: { type: 'Success' } })
  expect(takenOver).toMatchObject({ iam_result: null })
  expect(harness.grants.held.has(app.id)).toBe(true)
  await heir.end()
}, 60_000)

test('an action is taken over no sooner than a third of a lease after its lease ran out: its Helm may still run', async () => {
  const action = await install(await newApp(), undefined, plain, ann, asleep())
  const { db } = deps()
  const taken = (owner: string) => claim(db, action.id, owner, 30)
  expect(await taken('first')).toBeDefined()
  await expire(action.id, 8)
  expect(await taken('second')).toBeUndefined()
  await expire(action.id)
  const heir = await taken('second')
  expect(heir).toBeDefined()
  if (heir) await releaseLease(db, heir)
  expect(await ended(await woken(action))).toMatchObject({ state: 'Success' })
})

test('a deletion that Helm only began is begun again until the release is gone', async () => {
  const app = await newApp()
  await ended(await install(app))
  harness.scripts.push('timeout, failed')
  expect(await ended(await removing(app))).toMatchObject({ state: 'Success' })
  expect(harness.releases.has(app.releaseName ?? '')).toBe(false)
})

test('of two people who deploy one release, one wins and the other learns who', async () => {
  const app = await newApp()
  const both = await Promise.allSettled([ann, people.bob].map((who) => install(app, undefined, plain, who, asleep())))
  const won = both.find((each) => each.status === 'fulfilled')
  const lost = both.find((each) => each.status === 'rejected')
  expect(lost?.reason).toMatchObject({ code: 'deployment.already-running', status: 409 })
  expect(lost?.reason.details).toMatchObject({ kind: 'Deploy', startedBy: won?.value.started_by })
  if (won) await ended(await woken(won.value))
})

test('a command whose cluster does not answer holds no other one up', async () => {
  const cluster = Promise.withResolvers<never>()
  const held = accept(deps(), commandOf('Rollback', ann, {}, plain), () => cluster.promise)
  const refused = expect(held).rejects.toThrow('no answer')
  const { state } = await install(await newApp())
  cluster.reject(new Error('no answer'))
  expect(state).toBe('accepted')
  await refused
})

test('the same key is the same action, also at the same moment; with another command it is refused', async () => {
  const app = await newApp()
  const both = await Promise.all([install(app, undefined, keyed('k1')), install(app, undefined, keyed('k1'))])
  expect(new Set(both.map((each) => each.id)).size).toBe(1)
  await ended(both[0])
  expect((await install(app, undefined, keyed('k1'))).id).toBe(both[0].id)
  await expect(install(app, 'replicas: 3\n', keyed('k1'))).rejects.toMatchObject({
    code: 'request.key-reused',
    field: 'Idempotency-Key',
  })
})

test('a browser that registers before there is an action hears everything, once and in order', async () => {
  const app = await newApp()
  const releaseName = releaseNameOf('web', app.identifier)
  const early = await connect('ann', releaseName)
  expect(early.reply).toEqual({ ok: true, actionId: null, lastSeq: 0 })
  const action = await install(app)
  const middle = await connect('bob', releaseName)
  const stranger = await connect('eve', releaseName)
  await ended(action)
  const all = (await events(action)).map((each) => each.seq)
  const late = await connect('bob', { releaseName, actionId: action.id, lastSeq: 3 })
  await expect.poll(() => early.seqs).toEqual(all)
  if (middle.reply.ok && middle.reply.actionId) await expect.poll(() => middle.seqs).toEqual(all)
  await expect.poll(() => late.seqs).toEqual(all.slice(3))
  expect(stranger.seqs).toEqual([])
  await early.again({ releaseName, actionId: action.id, lastSeq: all.length })
  expect(early.seqs).toEqual(all)
  const foreign = await connect('eve', { releaseName, actionId: action.id })
  expect(foreign.reply).toMatchObject({ ok: false, code: 'deployment.action-not-found' })
})

test('a browser that comes back and names no action is told the end that it missed, and what comes next', async () => {
  const app = await newApp()
  const releaseName = releaseNameOf('web', app.identifier)
  const first = await install(app)
  await ended(first)
  const all = (await events(first)).map((each) => each.seq)
  const back = await connect('bob', { releaseName, lastSeq: 3 })
  expect(back.reply).toEqual({ ok: true, actionId: first.id, lastSeq: all.length })
  await expect.poll(() => back.seqs).toEqual(all.slice(3))
  const next = await upgrading(app)
  await ended(next)
  const more = (await events(next)).map((each) => each.seq)
  await expect.poll(() => back.seqs).toEqual([...all.slice(3), ...more])
  const whole = await connect('bob', { releaseName, lastSeq: more.length })
  expect(whole.reply).toMatchObject({ actionId: next.id })
  expect(whole.seqs).toEqual([])
})

test('a socket that comes while the database is away is not refused for good', async () => {
  harness.doors.refusals = 1
  expect((await connect('ann', 'some-release')).reply).toMatchObject({ ok: true })
  expect(harness.doors.refusals).toBe(0)
})

test('what happens while every connection to the database is taken is told when one is free', async () => {
  const other = await harness.startReplica({ works: false })
  const { pool } = other.deps.db
  const app = await newApp()
  const releaseName = releaseNameOf('web', app.identifier)
  const browser = await connect('ann', releaseName, other.url)
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const action = await install(app)
  // This note says that values were prepared: the caller they are for has to be looked up.
  await deps().db.pool.query('select pg_notify($1, $2)', [noteChannel, 't1|nobody|'])
  await ended(action)
  // Earlier callers who wait for a connection have been refused by then.
  await expect(other.deps.db.tenant('t1', async () => undefined)).rejects.toMatchObject({
    code: 'database.unavailable',
  })
  const refused = await browser.again({ releaseName })
  expect(refused).toMatchObject({ ok: false, code: 'database.unavailable' })
  expect(browser.seqs).toEqual([])
  for (const client of taken) client.release()
  const all = (await events(action)).map((each) => each.seq)
  await expect.poll(() => browser.seqs, { timeout: 20_000 }).toEqual(all)
  await other.end()
}, 90_000)

test('what was prepared goes to the socket that asked, and to nobody else', async () => {
  const mine = await connect('ann', 'some-release')
  const other = await connect('bob', 'some-release')
  const body = {
    catalogItemId: 'item1',
    catalogVersionId: 'v1',
    catalogItemType: 'App' as const,
    appKind: 'web',
    appType: 'Containerized' as const,
    socketId: mine.id,
  }
  const action = await prepare(deps(), commandOf('Prepare', ann, body, plain), body)
  expect((await ended(action)).prepared?.values.yaml).toContain('replicas: 1')
  await expect.poll(() => mine.prepared).toHaveLength(1)
  expect(mine.prepared[0]).toMatchObject({ catalogVersionId: 'v1', actionId: action.id })
  expect(other.prepared).toEqual([])
})

test('secret values are in no line of the log', async () => {
  const app = await newApp()
  harness.state.lines = ['Error: code hunter22 is too short', `base64 ${Buffer.from('hunter22').toString('base64')}`]
  const action = await install(app, 'replicas: 1\ncode: hunter22\n')
  await ended(action)
  const text = JSON.stringify(await events(action))
  expect(text).toContain('code •••••••• is too short')
  expect(text).not.toMatch(/hunter22|aHVudGVyMjI/)
})

test('two replicas together run no more than four Helm, and everybody gets a turn', async () => {
  const other = await harness.startReplica()
  const apps = await Promise.all(Array.from({ length: 12 }, newApp))
  harness.scripts.push(...apps.map(() => 'slowly' as const))
  harness.state.mostAtOnce = 0
  const actions = await Promise.all(apps.map((app) => install(app)))
  expect((await Promise.all(actions.map(ended))).map(({ state }) => state)).toEqual(apps.map(() => 'Success'))
  expect(harness.state.mostAtOnce).toBe(4)
  await other.end()
}, 60_000)

test('a replica that stops hands its work over, and the other one ends it', async () => {
  const app = await newApp()
  await harness.first.end()
  const dying = await harness.startReplica()
  harness.scripts.push('never ends')
  const body = {
    appId: app.id,
    versionId: 'v1',
    releaseName: releaseNameOf('web', app.identifier),
    deployData: deployDataFor(app),
    socketId: null,
  }
  const action = await deploy(dying.deps, commandOf('Deploy', ann, body, plain), body)
  await expect.poll(() => statuses(app), { timeout: 10_000 }).toEqual(['pending-install'])
  const heir = await harness.startReplica()
  const stopping = dying.end()
  harness.first = heir
  await stopping
  expect(await ended(action)).toMatchObject({ state: 'Success' })
  expect(statuses(app)).toEqual(['deployed', 'failed'])
  const told = await events(action)
  const times = (text: string) => told.filter((each) => JSON.stringify(each).includes(text)).length
  expect(told.map((each) => each.seq)).toEqual(told.map((_, index) => index + 1))
  expect(['Starting to Deploy', 'interrupted and is taken up again', 'result of App: Success'].map(times)).toEqual([
    1, 1, 1,
  ])
  expect(told.filter(({ event }) => event !== 'message').map(({ event }) => event)).toEqual([
    'IAM',
    'helmresult',
    'Deploy',
  ])
}, 60_000)

test('a worker that was frozen beyond its lease is replaced, and what it still writes is refused', async () => {
  const app = await newApp()
  harness.scripts.push('never ends')
  const action = await install(app)
  await expect.poll(() => statuses(app), { timeout: 10_000 }).toEqual(['pending-install'])
  await noteThatNobodyHears(action)
  const heir = await harness.startReplica()
  // Expire the lease, so that the holder seems to have been silent for a while.
  const [held = { fence: '' }] = await expire(action.id)
  expect(await ended(action)).toMatchObject({ state: 'Success' })
  expect(statuses(app)).toEqual(['deployed', 'failed'])
  const zombie = { id: action.id, tenant_id: 't1', fence: held.fence, release_name: action.release_name, last_seq: 0 }
  const line = { event: 'message', payload: { type: 'helm', message: 'too late', level: 'info' } } as const
  expect(await append(deps().db, zombie, [line])).toBe(false)
  expect(JSON.stringify(await events(action))).not.toContain('too late')
  expect(await audit(action.id)).toEqual(['accept', 'final'])
  await harness.first.end()
  harness.first = heir
}, 60_000)

test('every connection to the database is cut while Helm runs, and nothing is lost', async () => {
  const app = await newApp()
  harness.scripts.push('slowly')
  harness.state.lines = ['one', 'two', 'three']
  const action = await install(app)
  const runs = harness.state.runs
  await expect.poll(() => harness.state.atOnce).toBe(1)
  await cutConnections()
  await expect.poll(async () => (await peek(action))?.state, { timeout: 30_000 }).toBe('Success')
  expect(harness.state.runs - runs).toBeLessThanOrEqual(1)
  const told = await events(action)
  expect(told.map((each) => each.seq)).toEqual(told.map((_, index) => index + 1))
  for (const line of harness.state.lines)
    expect(told.filter((each) => (each.payload as { message?: string }).message === line)).toHaveLength(1)
}, 60_000)

test('lines whose commit was not answered are written again with what came since, and stand there once', async () => {
  const action = await install(await newApp(), undefined, plain, ann, asleep())
  const { db, config } = deps()
  const held = await claim(db, action.id, 'somebody', config.leaseSeconds)
  if (!held) throw new Error('nobody could take it')
  const lines = ['one', 'two', 'three'].map(
    (message) => ({ event: 'message', payload: { type: 'helm', message, level: 'info' } }) as const,
  )
  const unanswered = { ...held }
  expect(await append(db, unanswered, lines.slice(0, 2))).toBe(true)
  expect(await append(db, held, lines)).toBe(true)
  expect((await events(action)).map(({ seq, payload }) => [seq, payload])).toEqual(
    lines.map(({ payload }, index) => [index + 1, payload]),
  )
  expect(await append(db, { ...held, last_seq: 0 }, lines.slice(0, 1))).toBe(false)
  await releaseLease(db, held)
  await ended(await woken(held))
})

const said = async (action: { id: string }) =>
  (await events(action)).map(({ payload }) => (payload as { message?: string }).message ?? '')

test('what a chart has made up is hidden in what Helm says, and its notes are told once though its answer is lost', async () => {
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: made\nstringData: { pin: wDq7LmZp02Kx }\n'
  const lines = ['level=INFO msg="it is wDq7LmZp02Kx"']
  Object.assign(harness.state, { lines, manifest: secret, notes: 'Sign in with wDq7LmZp02Kx\n', lastLine: 'NOTES:' })
  harness.scripts.push('exit 1, yet deployed')
  const action = await install(await newApp())
  expect(await ended(action)).toMatchObject({ state: 'Success' })
  const log = await said(action)
  expect(log.filter((line) => line.includes('••••••••'))).toEqual([
    'level=INFO msg="it is ••••••••"',
    'chart: Sign in with ••••••••',
  ])
  expect(JSON.stringify(log)).not.toContain('wDq7LmZp02Kx')
})

test('lines that wait for a database that is away are written before the action is handed over', async () => {
  harness.scripts.push('slowly')
  harness.state.lines = ['one', 'two', 'three']
  const { db } = deps()
  const action = await install(await newApp())
  await expect.poll(() => harness.state.atOnce).toBe(1)
  const taken = await Promise.all(Array.from({ length: db.pool.options.max }, () => db.pool.connect()))
  await expect.poll(() => harness.state.atOnce).toBe(0)
  // Three waits for a connection: after them, the action's next step and its first try to let go have been refused.
  for (let tries = 0; tries < 3; tries += 1)
    await expect(db.tenant('t1', async () => undefined)).rejects.toMatchObject({ code: 'database.unavailable' })
  for (const client of taken) client.release()
  await expect.poll(async () => (await peek(action))?.state, { timeout: 40_000 }).toBe('Success')
  const log = await said(action)
  expect(log.filter((line) => harness.state.lines.includes(line))).toEqual(harness.state.lines)
  expect(log.filter((line) => line.includes('is taken up again'))).toHaveLength(1)
}, 60_000)

test('a deletion waits for removal, and nothing is waited for once Helm has said that it is done', async () => {
  const app = await newApp()
  await ended(await install(app))
  const { watchRelease } = harness.clusters
  let changes = 0
  harness.clusters.watchRelease = (_release, onWaiting, more) => {
    const objects = () => [
      {
        kind: 'Deployment',
        name: 'web',
        ready: false,
        detail: more?.isRemoval ? 'Going' : 'x',
        lastEvent: `${changes++}`,
      },
      { kind: 'Service', name: `web-${changes}`, ready: false, detail: '', lastEvent: null },
    ]
    // One that tells on, as what was on its way does.
    const timer = setInterval(() => onWaiting({ ready: 0, total: 2, objects: objects() }), 5)
    setTimeout(() => clearInterval(timer), 3000).unref()
    return { stop: () => undefined }
  }
  try {
    harness.scripts.push('slowly')
    harness.state.lastLine = 'release uninstalled'
    const action = await removing(app)
    expect(await ended(action)).toMatchObject({ state: 'Success' })
    const log = await said(action)
    const waits = log.filter((line) => /waiting/i.test(line))
    expect(waits.length).toBeGreaterThan(0)
    expect(
      waits.every((line) => line.startsWith('Waiting until 2 of 2 objects are removed: Deployment web Going')),
    ).toBe(true)
    expect(log.findLastIndex((line) => /waiting/i.test(line))).toBeLessThan(log.indexOf('release uninstalled'))
    expect(log.filter((line) => !line.startsWith('Namespace ')).join()).not.toMatch(/ready/i)
  } finally {
    harness.clusters.watchRelease = watchRelease
  }
})

test('a deletion waits for an object that is still there, although Helm has said that it is done', async () => {
  const app = await newApp()
  harness.state.manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: stays}\n'
  await ended(await install(app))
  const { remaining } = harness.clusters
  let looks = 0
  harness.clusters.remaining = async (_release, objects) => {
    looks += 1
    return looks === 1 ? objects.map((one) => ({ ...one, isTerminating: true, finalizers: ['example.org/stay'] })) : []
  }
  try {
    const action = await removing(app)
    expect(await ended(action)).toMatchObject({ state: 'Success' })
    expect(await said(action)).toContain('Waiting until these are gone: ConfigMap stays (finalizer example.org/stay)')
    expect(looks).toBe(2)
  } finally {
    harness.clusters.remaining = remaining
    harness.state.manifest = ''
  }
})

test('an action that waits can be cancelled once, one that has ended cannot', async () => {
  const app = await newApp()
  const body = {
    appId: app.id,
    versionId: 'v1',
    releaseName: releaseNameOf('web', app.identifier),
    deployData: deployDataFor(app),
    socketId: null,
  }
  const action = await deploy(asleep(), commandOf('Deploy', ann, body, plain), body)
  const runs = harness.state.runs
  expect(await cancel(deps(), ann, action.id, accessOf(ann))).toMatchObject({ state: 'Failed' })
  expect((await ended(action)).result?.summary).toBe('Cancelled by ann before it began')
  expect(harness.state.runs).toBe(runs)
  expect(harness.fakeApps.records.get(app.id)?.state).toBe('assigned')
  expect(await audit(action.id)).toEqual(['accept', 'final'])
  await expect(cancel(deps(), ann, action.id, accessOf(ann))).rejects.toMatchObject({ code: 'deployment.not-waiting' })
  await expect(cancel(deps(), people.eve, action.id, accessOf(people.eve))).rejects.toMatchObject({
    code: 'deployment.action-not-found',
  })
  expect(await ended(await install(app))).toMatchObject({ state: 'Success' })
})

test('a removal that waits is cancelled and aborted by nobody', async () => {
  const place = { spaceId: 'space01', clusterId: 'c1' }
  const action = await leaveCluster(asleep(), commandOf('LeaveCluster', ann, place, plain), place)
  for (const [end, code] of [
    [cancel, 'deployment.not-waiting'],
    [abort, 'deployment.not-abortable'],
  ] as const)
    await expect(end(deps(), ann, action.id, accessOf(ann))).rejects.toMatchObject({ code })
  expect(await ended(await woken(action))).toMatchObject({ state: 'Success' })
})

test('a change of a workload that waits starts no pods once its space is elevated', async () => {
  const app = await newApp()
  await ended(await install(app))
  const change = { set: 'restart', kind: 'Deployment', name: 'web' } as const
  const changing = () => changeWorkload(asleep(), commandOf('ChangeWorkload', bob, {}, plain), app.id, change)
  const waits = await changing()
  harness.state.asksFor = [usualRight]
  harness.grants.lost.add(bob.userId)
  try {
    expect(await ended(await woken(waits))).toMatchObject({
      state: 'Failed',
      result: { summary: expect.stringContaining('takes space.deploy.elevated') },
    })
  } finally {
    harness.state.asksFor = []
    harness.grants.lost.clear()
  }
  expect(await ended(await woken(await changing()))).toMatchObject({ state: 'Success' })
})

test('a line of Helm that ends in half a character is kept, and holds nothing up', async () => {
  harness.state.lines = ['x'.repeat(5) + '😀'.slice(0, 1), 'and goes on']
  const action = await install(await newApp())
  expect(await ended(action)).toMatchObject({ state: 'Success' })
  const lines = await eventsOf(deps(), 't1', action.id, { after: 0, access: accessOf(ann) })
  expect(JSON.stringify(lines)).toContain('xxxxx\ufffd')
})

test('an action that is cancelled leaves its app as it was', async () => {
  const app = await newApp()
  harness.scripts.push('timeout, failed')
  const failed = await install(app)
  await ended(failed)
  const before = harness.fakeApps.records.get(app.id)
  const told = { state: before?.state, stateMessage: before?.stateMessage, releaseName: before?.releaseName }
  expect(told).toMatchObject({ state: 'failed', releaseName: expect.any(String) })
  const again = await retry(asleep(), commandOf('Deploy', ann, { again: failed.id }, plain), failed)
  expect(harness.fakeApps.records.get(app.id)).toMatchObject({ state: 'deploying' })
  await cancel(deps(), ann, again.id, accessOf(ann))
  expect(harness.fakeApps.records.get(app.id)).toMatchObject(told)
})

test.each([
  ['an upgrade', (app: App) => upgrading(app)],
  ['a rollback', (app: App) => rollingBack(app, 1)],
])('%s of what was never installed well lets in whom the installation was to let in', async (_, again) => {
  const app = await newApp()
  harness.scripts.push('timeout, failed')
  await ended(await install(app))
  expect(harness.grants.held.has(app.id)).toBe(false)
  harness.scripts.push('timeout, failed')
  expect(await ended(await again(app))).toMatchObject({ state: 'Failed' })
  expect(harness.grants.held.has(app.id)).toBe(false)
  expect(await ended(await again(app))).toMatchObject({ state: 'Success' })
  expect(harness.grants.held.has(app.id)).toBe(true)
})

test('a cluster that is away is waited for', async () => {
  const app = await newApp()
  await ended(await install(app))
  const action = await upgradingWhileAway(app)
  expect(await ended(action)).toMatchObject({ state: 'Success' })
})

/** A line is written while the replica does not listen: its browsers are told as soon as it does again. */
async function noteThatNobodyHears({ id, release_name }: { id: string; release_name: string | null }): Promise<void> {
  const browser = await connect('ann', { releaseName: release_name, actionId: id })
  await expect.poll(() => browser.seqs.length).toBeGreaterThan(0)
  await cutConnections("and query like 'listen%'")
  const line = { event: 'message', payload: { type: 'helm', message: 'unheard', level: 'info' } } as const
  const holder = { id, tenant_id: 't1', fence: '1', release_name, last_seq: (await events({ id })).length }
  expect(await append(deps().db, holder, [line])).toBe(true)
  const last = (await events({ id })).at(-1)?.seq
  await expect.poll(() => browser.seqs.at(-1), { timeout: 20_000 }).toBe(last)
}

async function cutConnections(which = ''): Promise<void> {
  const client = new pg.Client(world.databaseUrl)
  await client.connect()
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() ${which}`,
  )
  await client.end()
}

/** Undefined while the database is away. */
const peek = (action: { id: string }) => actionOf(harness.first, 't1', action.id, 0, looking).catch(() => undefined)

async function expire(id: string, secondsAgo = 11): Promise<{ fence: string }[]> {
  const found = await deps().db.platform(async (trx) => {
    await sql`update action set lease_until = clock_timestamp() - make_interval(secs => ${secondsAgo}) where id = ${id}`.execute(
      trx,
    )
    return sql<{ fence: string }>`select fence from action where id = ${id}`.execute(trx)
  })
  return found.rows
}

async function audit(id: string): Promise<string[]> {
  const found = await deps().db.platform((trx) =>
    sql<{ moment: string }>`select moment from action_audit where action_id = ${id} order by id`.execute(trx),
  )
  return found.rows.map((row) => row.moment)
}

async function upgradingWhileAway(app: App) {
  harness.state.isAway = true
  const action = await upgrading(app)
  await expect
    .poll(async () => (await events(action)).map((each) => (each.payload as { message?: string }).message))
    .toContain('The cluster could not be reached.')
  harness.state.isAway = false
  return action
}

async function connect(token: string, asked: unknown, url = harness.first.url) {
  const socket = io(url, { path: '/deployment/socket.io', auth: { token }, forceNew: true })
  sockets.push(socket)
  const seqs: number[] = []
  const prepared: unknown[] = []
  for (const name of ['message', 'IAM', 'helmresult', 'hookresult', 'Deploy', 'Upgrade'])
    socket.on(name, (payload: { seq: number }) => seqs.push(payload.seq))
  socket.on('Prepare', (payload: unknown) => prepared.push(payload))
  const again = (what: unknown) => socket.timeout(20_000).emitWithAck('register', what)
  const reply = await again(asked)
  return { id: socket.id ?? '', reply, seqs, prepared, again }
}
