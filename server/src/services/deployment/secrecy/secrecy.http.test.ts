import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import type { CatalogChild } from '@quayside/contract/catalog'
import { cluster } from '@quayside/contract/cluster'
import { type Accepted, type Action, type ActionEvent, deployment } from '@quayside/contract/deployment'
import { pathOf } from '@quayside/contract/path'
import { type App, portalApi, type Space } from '@quayside/contract/portal-api'
import { World } from '@quayside/embedded/world'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStory, deployDataOf, metadataOf, type Story } from '../testing/story.ts'
import { chattyFiles } from './chatty-chart.ts'
import { filesBelow, rowsOf, watchProcesses } from './traces.ts'

const secrets = {
  code: 'Ships&Sail"42/+yonder',
  password: 'harbour<master>17',
  key: '-----BEGIN KEY-----\nQUJDhiddenInTheHold\nRkdIstowedAway99\n-----END KEY-----',
  later: 'Anchor&Chain"77/+deeper',
}
/** Each secret in every form in which something may say it. */
const formsOf = (secret: string) => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  goJson(secret),
  encodeURIComponent(secret),
  ...base64Of(secret).filter((form) => form.length >= 8),
]
const given = [secrets.code, secrets.password, secrets.later, 'QUJDhiddenInTheHold', 'RkdIstowedAway99']
const forms = given.flatMap(formsOf)

let world: World
let story: Story
let socket: Socket
let core: CoreV1Api
let space: Space
let child: CatalogChild
/** Values that charts have made up, from the Secrets in the cluster. */
const madeUp = new Set<string>()
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
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(readFileSync(world.kubeconfig, 'utf8'))
  core = kubeconfig.makeApiClient(CoreV1Api)
  socket = io(world.url, { path: '/deployment/socket.io', auth: { token }, forceNew: true })
  socket.onAny((name: string, payload: unknown) => heard.push(`${name} ${JSON.stringify(payload)}`))
})
afterAll(async () => {
  processes?.stop()
  socket?.disconnect()
  await world?.close()
})

const valuesOf = (says: string, { code = secrets.code, image = 'nginx:1.27', hooks = false } = {}) =>
  [
    `code: ${JSON.stringify(code)}`,
    `admin: { password: ${JSON.stringify(secrets.password)} }`,
    `key: ${JSON.stringify(secrets.key)}`,
    `says: ${JSON.stringify(says)}`,
    `image: ${JSON.stringify(image)}`,
    'replicas: 1',
    `hooks: ${hooks}`,
  ].join('\n')

test('a chart that says its secrets everywhere is heard nowhere', async () => {
  space = await story.space('Secrets', readFileSync(world.kubeconfig, 'utf8'))
  child = await story.upload('chatty', '1.0.0', chattyFiles)
  let app: App = await story.assign(space, child)
  const releaseName = await story.releaseName(app, 'chatty')
  await socket.timeout(5000).emitWithAck('register', releaseName)
  const deployData = (yaml: string) => deployDataOf(app, space, child, yaml)
  const about = { appId: app.id, versionId: child.version.id }
  const run = async (kind: 'Deploy' | 'Upgrade', body: object): Promise<Action> => {
    const answer = await story.post<Accepted>(kind, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(202)
    const action = await story.ended(answer.body.actionId)
    await learnMadeUp()
    return action
  }
  const ask = (endpoint: typeof deployment.validate | typeof deployment.preview, yaml: string) =>
    story.call(pathOf(endpoint, { id: child.version.id }), {
      method: 'PUT',
      body: { appMetadata: metadataOf(app, space), yaml },
    })

  for (const says of ['fail', 'yaml', 'number', 'refused', 'mistyped']) {
    await ask(deployment.validate, valuesOf(says))
    const failed = await run('Deploy', { ...about, releaseName, deployData: deployData(valuesOf(says)) })
    expect({ says, state: failed.state }).toEqual({ says, state: 'Failed' })
  }
  const deployed = await run('Deploy', { ...about, releaseName, deployData: deployData(valuesOf('')) })
  expect(deployed).toMatchObject({ state: 'Success' })
  app = await story.good<App>(`/portal-api/v2/apps/${app.id}`)
  for (const says of ['', 'fail', 'refused']) await ask(deployment.preview, valuesOf(says, { code: secrets.later }))
  // Its Pod never comes up, and what the cluster says of that names the image.
  const image = `registry.invalid/unpullable/${secrets.password}:1`
  const stuck = await run('Upgrade', { ...about, deployData: deployData(valuesOf('', { image })) })
  expect(stuck).toMatchObject({ state: 'Failed' })
  // How it ends is not what is looked at here: the old Pods may take longer to go than Helm waits.
  await run('Upgrade', { ...about, deployData: deployData(valuesOf('', { code: secrets.later })) })
  await readEverything(app)
}, 120_000)

test.each([
  ['prints them in a hook', 'Success', '', 'arguments: sh -c echo •••• •••• ••••'],
  ['prints them in a hook that fails', 'Failed', 'failing hook', 'arguments: sh -c echo •••• •••• ••••'],
])(
  'a chart that makes up its secrets and %s is told without them',
  async (_, state, says, line) => {
    const app = await story.assign(space, child)
    const deployData = deployDataOf(app, space, child, valuesOf(says, { hooks: true }))
    const releaseName = await story.releaseName(app, 'made')
    const body = { appId: app.id, versionId: child.version.id, releaseName, deployData }
    const { actionId } = (await story.post<Accepted>('Deploy', body)).body
    expect(await story.ended(actionId)).toMatchObject({ state })
    const before = madeUp.size
    await learnMadeUp()
    expect(madeUp.size).toBe(before + 3)
    const { data } = await story.good<{ data: ActionEvent[] }>(pathOf(deployment.actionEvents, { id: actionId }))
    const log = data.map(({ payload }) => (payload as { message?: string }).message ?? '')
    expect(log.some((message) => message.includes(line))).toBe(true)
    expect(log.some((message) => message.startsWith('chart: ••••'))).toBe(state === 'Success')
    await story.good(pathOf(deployment.revision, { a: app.id, b: 1 }))
  },
  60_000,
)

/** The Secrets of the charts as they are now; those of earlier revisions are known already. */
async function learnMadeUp(): Promise<void> {
  const { items } = await core.listNamespacedSecret({ namespace: space.namespace })
  for (const { metadata, data = {} } of items)
    if (/-(?:made|sign|hook)$/.test(metadata?.name ?? ''))
      for (const value of Object.values(data)) madeUp.add(Buffer.from(value, 'base64').toString())
  forms.splice(0, forms.length, ...[...given, ...madeUp].flatMap(formsOf))
}

const isSaid = (text: string) => forms.some((form) => text.includes(form))
/** The secret that a text contains, and where, for a readable failure. */
const short = (text: string) => {
  const form = forms.find((each) => text.includes(each)) ?? ''
  return `${form}: ${text.slice(0, 60)} … ${text.slice(Math.max(0, text.indexOf(form) - 80)).slice(0, 240)}`
}

test('no answer and no message of the socket said one', () => {
  expect(madeUp.size).toBeGreaterThanOrEqual(10)
  expect(heard.length).toBeGreaterThan(80)
  expect(heard.some((text) => text.startsWith('message '))).toBe(true)
  expect(heard.filter(isSaid).map(short)).toEqual([])
})

test('nothing that the portal wrote to stdout or stderr did', () => {
  const lines = readFileSync(join(world.dataDir, 'portal.log'), 'utf8').split('\n')
  expect(lines.length).toBeGreaterThan(3)
  expect(lines.filter(isSaid).map(short)).toEqual([])
})

test('no row of any table holds one: not the ledger, its lines, the audit, the records, nor the queue', async () => {
  const rows = await rowsOf(world.databaseUrl)
  for (const table of ['public.action ', 'public.action_event ', 'public.action_audit '])
    expect(rows.some((row) => row.startsWith(table))).toBe(true)
  expect(rows.filter(isSaid).map(short)).toEqual([])
})

test("no file is left with one, outside of the cluster's own store", () => {
  const clusters = join(world.dataDir, 'cluster')
  const files = filesBelow(world.dataDir, (path) => path === clusters || path.endsWith('/bin'))
  expect(files.some((file) => file.includes('/packages/'))).toBe(true)
  expect(files.filter(isSaid).map(short)).toEqual([])
})

test('no process was given one, neither as an argument nor in its environment', () => {
  const helms = [...processes.seen].filter((text) => /helm[^\0]*\0(install|upgrade|rollback|uninstall)\0/.test(text))
  expect(helms.length).toBeGreaterThan(3)
  expect([...processes.seen].filter(isSaid).map(short)).toEqual([])
})

/** Reads everything that the pages of an app read. */
async function readEverything(app: App) {
  const { overview, pods, deployments, services, serviceAccounts, appEvents } = cluster
  const paths = [
    ...[overview, pods, deployments, services, serviceAccounts, appEvents].map((each) => pathOf(each, { id: app.id })),
    pathOf(deployment.revisions, { id: app.id }),
    ...[1, 2, 3, 4, 5].map((b) => pathOf(deployment.revision, { a: app.id, b })),
    ...[2, 3].map((to) => `${pathOf(deployment.compareRevisions, { id: app.id })}?from=1&to=${to}`),
    pathOf(deployment.leftovers, { id: app.id }),
    pathOf(deployment.listActions),
    pathOf(portalApi.listApps),
  ]
  for (const path of paths) expect((await story.call(path)).status, path).toBeLessThan(500)
  const { data } = await story.good<{ data: { id: string }[] }>(pathOf(deployment.listActions))
  for (const { id } of data) await story.good(pathOf(deployment.actionEvents, { id }))
}

/** The text as Go, and with it Helm, writes it into JSON. */
function goJson(text: string): string {
  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text).slice(1, -1).replace(/[<>&]/g, escaped)
}

/** The base64 forms of a text at any place of a longer one, without the edges that depend on what is beside it. */
function base64Of(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const inner = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]).toString('base64')
    return inner.slice(before === 0 ? 0 : 4, Math.floor((before + Buffer.byteLength(text)) / 3) * 4)
  })
}
