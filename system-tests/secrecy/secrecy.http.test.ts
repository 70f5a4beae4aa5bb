import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, apps } from '@quayside/contract/apps/endpoints'
import { clusters } from '@quayside/contract/clusters/endpoints'
import { type ActionEvent, deployments } from '@quayside/contract/deployments/endpoints'
import { pathOf } from '@quayside/contract/http/path'
import { createChattyApps } from '@quayside/embedded/story/chatty-apps'
import { createStory, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filesBelow, watchProcesses } from './traces.ts'

let world: World
let story: Story
let socket: Socket
let chatty: Awaited<ReturnType<typeof createChattyApps>>
let processes: ReturnType<typeof watchProcesses>
/** Everything that was answered or sent to the socket. */
const heard: string[] = []

beforeAll(async () => {
  world = await World.start({
    cluster: { speed: 20 },
    env: { LOG_LEVEL: 'trace', QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: '5' },
  })
  processes = watchProcesses(world.dataDir)
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const api: typeof world.api = async (path, call) => {
    const answer = await world.api(path, call)
    heard.push(`${path} ${await answer.clone().text()}`)
    return answer
  }
  story = createStory({ api }, token)
  socket = io(world.url, { path: '/deployment/socket.io', auth: { token }, forceNew: true })
  socket.onAny((name: string, payload: unknown) => heard.push(`${name} ${JSON.stringify(payload)}`))
  chatty = await createChattyApps(world, story)
})
afterAll(async () => {
  processes?.stop()
  socket?.disconnect()
  await world?.close()
})

test('a chart that says its secrets everywhere is heard nowhere', async () => {
  const { app, told } = await chatty.sayEverywhere((releaseName) =>
    socket.timeout(5000).emitWithAck('register', releaseName),
  )
  expect(told).toEqual([
    ...['fail', 'yaml', 'number', 'refused', 'mistyped'].map((says) => ({ says, state: 'Failed' })),
    { says: '', state: 'Success' },
    { says: 'in the name of an image', state: 'Failed' },
  ])
  await readEverything(app)
}, 120_000)

test.each([
  ['prints them in a hook', 'Success', '', 'arguments: sh -c echo •••••••• •••••••• ••••••••'],
  ['prints them in a hook that fails', 'Failed', 'failing hook', 'arguments: sh -c echo •••••••• •••••••• ••••••••'],
])(
  'a chart that makes up its secrets and %s is told without them',
  async (_, state, says, line) => {
    const { app, action, madeUp } = await chatty.sayInHook(says)
    expect(action).toMatchObject({ state })
    expect(madeUp).toBe(3)
    const { data } = await story.good<{ data: ActionEvent[] }>(pathOf(deployments.actionEvents, { id: action.id }))
    const log = data.map(({ payload }) => (payload as { message?: string }).message ?? '')
    expect(log.some((message) => message.includes(line))).toBe(true)
    expect(log.some((message) => message.startsWith('chart: ••••••••'))).toBe(state === 'Success')
    await story.good(pathOf(deployments.revision, { appId: app.id, revision: 1 }))
  },
  60_000,
)

test('no answer and no message of the socket said one', () => {
  expect(chatty.search.learnt.size).toBeGreaterThanOrEqual(10)
  expect(heard.length).toBeGreaterThan(80)
  expect(heard.some((text) => text.startsWith('message '))).toBe(true)
  expect(heard.filter(chatty.search.isSaid).map(chatty.search.shortened)).toEqual([])
})

test('nothing that the portal wrote to stdout or stderr did', () => {
  const lines = readFileSync(join(world.dataDir, 'portal.log'), 'utf8').split('\n')
  expect(lines.length).toBeGreaterThan(3)
  expect(lines.filter(chatty.search.isSaid).map(chatty.search.shortened)).toEqual([])
})

test("no file is left with one, outside of the cluster's own store", () => {
  const clusters = join(world.dataDir, 'cluster')
  const files = filesBelow(world.dataDir, (path) => path === clusters || path.endsWith('/bin'))
  expect(files.some((file) => file.includes('/packages/'))).toBe(true)
  expect(files.filter(chatty.search.isSaid).map(chatty.search.shortened)).toEqual([])
})

test('no process was given one, neither as an argument nor in its environment', () => {
  const helms = [...processes.seen].filter((text) => /helm[^\0]*\0(install|upgrade|rollback|uninstall)\0/.test(text))
  expect(helms.length).toBeGreaterThan(3)
  expect([...processes.seen].filter(chatty.search.isSaid).map(chatty.search.shortened)).toEqual([])
})

/** Reads everything that the pages of an app read. */
async function readEverything(app: App) {
  const { overview, pods, services, serviceAccounts, appEvents } = clusters
  const paths = [
    ...[overview, pods, clusters.deployments, services, serviceAccounts, appEvents].map((each) =>
      pathOf(each, { id: app.id }),
    ),
    pathOf(deployments.revisions, { id: app.id }),
    ...[1, 2, 3, 4, 5].map((revision) => pathOf(deployments.revision, { appId: app.id, revision })),
    ...[2, 3].map((to) => `${pathOf(deployments.compareRevisions, { id: app.id })}?from=1&to=${to}`),
    pathOf(deployments.leftovers, { id: app.id }),
    pathOf(deployments.listActions),
    pathOf(apps.listApps),
  ]
  for (const path of paths) expect((await story.call(path)).status, path).toBeLessThan(500)
  const { data } = await story.good<{ data: { id: string }[] }>(pathOf(deployments.listActions))
  for (const { id } of data) await story.good(pathOf(deployments.actionEvents, { id }))
}
