import type { App } from '@quayside/contract/apps/endpoints'
import type { Accepted, Action } from '@quayside/contract/deployments/endpoints'
import { socketPath } from '@quayside/contract/live/names'
import { deployDataOf } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { neverReady } from '../gain-the-cluster/charts-that-reach-out.ts'
import { type Team, type Teams, teamsOn, yamlOf } from '../team-with-charts.ts'

const metricsToken = 'a-token-of-prometheus'
let world: World
let teams: Teams
let team: Team
let app: App

beforeAll(async () => {
  world = await World.start({
    cluster: { speed: 10 },
    env: { QUAYSIDE_WAITING_HELMS: '2', QUAYSIDE_METRICS_TOKEN: metricsToken, QUAYSIDE_LIVE_CONNECTIONS: '3' },
  })
  teams = await teamsOn(world)
  team = await teams.team()
  const made = await teams.assign(team)
  const objects = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: one }\n'
  expect(await teams.deploy(team, team.story, made, objects)).toMatchObject({ action: { state: 'Success' } })
  app = await team.story.good<App>(`/portal-api/v2/apps/${made.id}`)
})
afterAll(() => world?.close())

/** How long a call took, and the longest that somebody else had to wait for an answer meanwhile, in milliseconds. */
async function heldUp(call: () => Promise<unknown>): Promise<{ took: number; longest: number }> {
  let isOver = false
  let longest = 0
  const start = performance.now()
  const done = call().finally(() => {
    isOver = true
  })
  while (!isOver) {
    const asked = performance.now()
    await (await fetch(`${world.url}/healthz`)).text()
    longest = Math.max(longest, performance.now() - asked)
  }
  await done
  return { took: performance.now() - start, longest }
}

describe('a small record of a release that is enormous to read', () => {
  const entry = '  - {a: b, c: d, e: [1, 2, 3]}\n'
  /** A megabyte that Kubernetes keeps in some kilobytes. */
  const object = (kind: string) =>
    `---\napiVersion: v1\nkind: ${kind}\nmetadata: { name: wide }\ndata:\n${entry.repeat(30_000)}`
  const helm = '/deployment/v1/helm/deployment'

  beforeAll(() => teams.storeAnew(app, (release) => ({ ...release, manifest: object('ConfigMap') + object('Secret') })))

  it.each([
    ['its app', () => `/cluster/v1/apps/${app.id}/overview`],
    ['its revision', () => `${helm}/revision/${app.id}/1`],
    ['what two revisions differ in', () => `${helm}/compare/${app.id}?from=1&to=1`],
    ['what its deletion leaves', () => `${helm}/leftovers/${app.id}`],
  ])('holds up nobody else when somebody looks at %s', { timeout: 180_000 }, async (_, path) => {
    const { took, longest } = await heldUp(() => team.story.call(path()))
    expect(longest).toBeLessThan(took / 3)
  })
})

describe('a body', () => {
  const json = { 'content-type': 'application/json' }
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const send = (path: string, body: string, token?: string) =>
    fetch(world.url + path, {
      method: 'POST',
      headers: token === undefined ? json : { ...json, authorization: `Bearer ${token}` },
      body,
    })

  it('is not read where nothing is', async () => {
    expect((await send('/nothing/here', '{"not json')).status).toBe(404)
    expect((await send('/healthz', '{"not json')).status).toBe(405)
  })

  it.each([
    ['/deployment/v1/convert/toyaml', `{"originalYaml":"a: 1","config":${nested(9000)}}`],
    ['/deployment/v1/helm/deployment/actions.Delete', `{"app":{"id":"x","more":${nested(9000)}}}`],
    ['/deployment/v1/convert/toyaml', `{"originalYaml":"a: 1","config":[${Array(300_000).fill(0).join(',')}]}`],
  ])('that is too deep or holds too much is refused by %s', async (path, body) => {
    const answer = await send(path, body, team.story.token)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'request.invalid', field: 'body' })
  })

  it('for the identity server is passed on as it comes', async () => {
    expect((await send(`/auth/admin/realms/${world.realm}/users`, nested(9000))).status).toBe(401)
  })
})

describe('deployments that never become ready', () => {
  it('leave places for other spaces, and what is accepted beyond them waits', { timeout: 90_000 }, async () => {
    const [busy, other] = [await teams.team(), await teams.team()]
    const begun = await Promise.all(
      Array.from({ length: 11 }, async (_, at) => {
        const made = await teams.assign(busy)
        const deployData = deployDataOf(
          made,
          busy.space,
          teams.child,
          yamlOf(neverReady.replace('never,', `never-${at},`)),
        )
        const releaseName = await busy.story.releaseName(made, 'anything')
        const command = {
          appId: made.id,
          versionId: teams.child.version.id,
          releaseName,
          deployData,
          giveUpEarly: false,
        }
        return (await busy.story.post<Accepted>('Deploy', command)).body.actionId
      }),
    )
    const states = () =>
      Promise.all(begun.map(async (id) => (await busy.story.good<Action>(`/deployment/v1/actions/${id}`)).state))
    const working = async () => (await states()).filter((state) => state !== 'accepted').length
    // One of two that wait, and four of the eight that a replica works on.
    await expect.poll(working, { timeout: 40_000 }).toBe(5)
    const figures = await (await world.api('/metrics', { token: metricsToken })).text()
    const unended = [...figures.matchAll(/^quayside_actions\{kind="Deploy",state="(\w+)"\} (\d+)$/gm)]
    expect(unended.find(([, state]) => state === 'accepted')?.[2]).toBe('6')
    expect(unended.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(11)
    const start = performance.now()
    const plain = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: beside }\n'
    expect(await teams.deploy(other, other.story, await teams.assign(other), plain)).toMatchObject({
      action: { state: 'Success' },
    })
    expect(performance.now() - start).toBeLessThan(20_000)
    expect(await working()).toBe(5)
    await busy.story.good(`/deployment/v1/actions/${begun[0]}/abort`, { method: 'POST' })
    await expect.poll(async () => (await states()).filter((state) => state === 'accepted').length).toBeLessThan(6)
  })
})

describe('live connections', () => {
  const sockets: Socket[] = []
  afterAll(() => {
    for (const socket of sockets) socket.disconnect()
  })

  /** How the portal answers to one more live connection. */
  async function connect(token: string): Promise<string> {
    const options = { path: socketPath, auth: { token }, forceNew: true, reconnection: false }
    const socket = io(world.url, { ...options, transports: ['websocket'] })
    sockets.push(socket)
    return new Promise((done) => {
      socket.on('connect', () => done('connected'))
      socket.on('connect_error', (error) => done(error.message))
    })
  }

  it('of one person are bounded, those that ended make room, and others get in', async () => {
    const one = await world.tokenFor({ realmRoles: ['quayside-viewer'] })
    const told = await Promise.all(Array.from({ length: 8 }, () => connect(one)))
    expect(told.filter((answer) => answer === 'connected')).toHaveLength(3)
    expect(told.filter((answer) => answer === 'live.too-many')).toHaveLength(5)
    expect(await connect(await world.tokenFor({ realmRoles: ['quayside-viewer'] }))).toBe('connected')
    sockets.find(({ connected }) => connected)?.disconnect()
    await expect.poll(() => connect(one)).toBe('connected')
    expect(await connect(one)).toBe('live.too-many')
  })
})
