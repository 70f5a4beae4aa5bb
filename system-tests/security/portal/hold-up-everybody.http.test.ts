import type { App } from '@quayside/contract/apps/endpoints'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

let world: World
let teams: Teams
let team: Team
let app: App

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 } })
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
