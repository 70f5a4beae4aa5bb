import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '@quayside/contract/apps/endpoints'
import type { ActionKind } from '@quayside/contract/deployments/endpoints'
import { World } from '@quayside/embedded/world'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { armFailpoints } from '../../../platform/config/failpoints.ts'
import { type Command, commandOf } from '../commands/accept.ts'
import { assign } from '../commands/assign.ts'
import { deleteSpace, deregisterCluster, leaveCluster } from '../commands/clear.ts'
import { deploy, upgrade } from '../commands/deploy.ts'
import { prepare } from '../commands/prepare.ts'
import { remove } from '../commands/remove.ts'
import { rollback } from '../commands/rollback.ts'
import { releaseNameOf } from '../releases/release-name.ts'
import { deployDataFor } from '../testing/fake-apps.ts'
import { accessOf, createHarness, type Harness, looking, people } from '../testing/harness.ts'
import { changeWorkload } from '../workloads/change-workload.ts'
import { actionOf } from './queries.ts'

let world: World
let harness: Harness
let keys = 0
const folder = mkdtempSync(join(tmpdir(), 'quayside-audit-'))
const armed = join(folder, 'armed')
const { ann } = people
const child = { item: { id: 'item1' }, version: { id: 'v1' } }

beforeAll(async () => {
  world = await World.start({ portal: false, identity: false, cluster: false })
  harness = await createHarness(world.databaseUrl, { leaseSeconds: 3 })
})
afterEach(() => armFailpoints(undefined))
afterAll(async () => {
  await harness?.close()
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

const deps = () => harness.first.deps
const ended = (id: string) => actionOf(harness.first, 't1', id, 30, looking)
const newApp = (command = commandOf('Assign', ann, {}, { headers: {} })) =>
  assign(deps(), command, { tenantId: 't1', spaceId: 'space01', clusterId: 'c1', catalogChild: child, socketId: null })

/** Sends a command of a kind; each call of it sends the same one. */
type Send = (command: Command) => Promise<{ id: string }>

const install =
  (app: App): Send =>
  (command) =>
    deploy(deps(), command, {
      ...{ appId: app.id, versionId: 'v1', releaseName: releaseNameOf('web', app.identifier), socketId: null },
      deployData: deployDataFor(app),
    })

async function installed(): Promise<App> {
  const app = await newApp()
  const { id } = await install(app)(commandOf('Deploy', ann, { appId: app.id }, { headers: {} }))
  expect(await ended(id)).toMatchObject({ state: 'Success' })
  return app
}

/** Senders by kind: the thing that a command acts on is made ready before the command is there. */
const senders: Partial<Record<ActionKind, () => Promise<Send>>> = {
  Assign: async () => newApp,
  Prepare: async () => (command) =>
    prepare(deps(), command, {
      ...{ catalogItemId: 'item1', catalogVersionId: 'v1', catalogItemType: 'App', appKind: 'web', socketId: null },
      appType: 'Containerized',
    }),
  Deploy: async () => install(await newApp()),
  Upgrade: async () => {
    const app = await installed()
    const body = { appId: app.id, versionId: 'v1', deployData: deployDataFor(app), socketId: null }
    return (command) => upgrade(deps(), command, body)
  },
  Rollback: async () => {
    const app = await installed()
    const second = { appId: app.id, versionId: 'v1', deployData: deployDataFor(app), socketId: null }
    await ended((await upgrade(deps(), commandOf('Upgrade', ann, second, { headers: {} }), second)).id)
    return (command) => rollback(deps(), command, { appId: app.id, revision: 1, socketId: null })
  },
  Delete: async () => {
    const body = { app: { id: (await installed()).id }, socketId: null }
    return (command) => remove(deps(), command, body, accessOf(ann))
  },
  ChangeWorkload: async () => {
    const { id } = await installed()
    const change = { set: 'restart', kind: 'Deployment', name: 'web' } as const
    return (command) => changeWorkload(deps(), command, id, change)
  },
  DeleteSpace: async () => (command) => deleteSpace(deps(), command, 'space01'),
  LeaveCluster: async () => (command) => leaveCluster(deps(), command, { spaceId: 'space01', clusterId: 'c1' }),
  DeregisterCluster: async () => (command) => deregisterCluster(deps(), command, { clusterId: 'c1', forget: false }),
}

/** The points of a kind, at most four of them after the claim: an action is given up after its fifth go. */
const goes: [ActionKind, string[]][] = [
  ['Assign', ['F1', 'F2', 'F20']],
  ['Assign', ['F3']],
  ['Prepare', ['F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F20']],
  ['Deploy', ['F1', 'F2', 'F3', 'F4', 'F5', 'F26', 'F19', 'F21']],
  ['Deploy', ['F6', 'F7', 'F8', 'F12', 'F20']],
  ['Deploy', ['F13', 'F14']],
  ['Upgrade', ['F1', 'F2', 'F3', 'F4', 'F5', 'F26', 'F19', 'F21']],
  ['Upgrade', ['F6', 'F7', 'F8', 'F20']],
  ['Upgrade', ['F13', 'F14']],
  ['Rollback', ['F1', 'F2', 'F3', 'F4', 'F26', 'F19', 'F21']],
  ['Rollback', ['F13', 'F14', 'F20']],
  ['Delete', ['F1', 'F2', 'F3', 'F4', 'F26', 'F19', 'F21']],
  ['Delete', ['F13', 'F14', 'F22', 'F23', 'F20']],
  ['ChangeWorkload', ['F1', 'F2', 'F3', 'F4', 'F21']],
  ['ChangeWorkload', ['F20']],
  ['DeleteSpace', ['F1', 'F2', 'F3', 'F4', 'F24', 'F25', 'F21']],
  ['DeleteSpace', ['F20']],
  ['DeregisterCluster', ['F1', 'F2', 'F3', 'F4', 'F24', 'F25', 'F21']],
  ['DeregisterCluster', ['F20']],
  ['LeaveCluster', ['F1', 'F2', 'F3', 'F4', 'F24', 'F25', 'F21']],
  ['LeaveCluster', ['F20']],
]

test.each(goes)('%s that breaks at %j has one audit row of its acceptance and one of its end', async (kind, points) => {
  const send = await senders[kind]?.()
  const key = `audit-${++keys}`
  writeFileSync(armed, points.map((point) => `${point}=throw`).join())
  armFailpoints(`@${armed}`)
  const made = await sentAgain(() => send?.(commandOf(kind, ann, { key }, { headers: { 'idempotency-key': key } })))
  const id = await idOf(key)
  if (kind !== 'Assign') expect(made).toMatchObject({ id })
  await ended(id)
  await expect.poll(() => readFileSync(armed, 'utf8'), { timeout: 10_000 }).toBe('')
  expect(await momentsOf(id)).toEqual(['accept', 'final'])
})

test('an action that another replica takes over has them too, once', async () => {
  harness.scripts.push('never ends')
  const app = await newApp()
  const { id } = await install(app)(commandOf('Deploy', ann, { appId: app.id }, { headers: {} }))
  await expect.poll(() => harness.state.atOnce, { timeout: 20_000 }).toBe(1)
  expect(await momentsOf(id)).toEqual(['accept'])
  const heir = await harness.startReplica()
  await harness.first.end()
  harness.first = heir
  expect(await ended(id)).toMatchObject({ state: 'Success' })
  expect(await momentsOf(id)).toEqual(['accept', 'final'])
}, 60_000)

test('no action of this file, whatever it was for, has other audit rows than these two', async () => {
  const wrong = await rows<{ id: string }>(sql`select id from action where final_at is null
    or (select array_agg(moment order by id) from action_audit where action_id = action.id) is distinct from '{accept,final}'`)
  expect(wrong).toEqual([])
})

/** Sends a command until it is answered, under its key, like a careful client. */
async function sentAgain<Result>(send: () => Promise<Result> | undefined): Promise<Result | undefined> {
  for (;;) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof Error && error.name === 'FailpointError')) throw error
    }
  }
}

async function idOf(key: string): Promise<string> {
  const [found] = await rows<{ id: string }>(sql`select id from action where idem_key = ${key}`)
  return found?.id ?? ''
}

async function momentsOf(id: string): Promise<string[]> {
  const found = await rows<{ moment: string }>(sql`select moment from action_audit where action_id = ${id} order by id`)
  return found.map(({ moment }) => moment)
}

async function rows<Row>(text: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return deps().db.platform(async (trx) => (await text.execute(trx)).rows)
}
