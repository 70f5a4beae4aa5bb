import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { socketPath } from '@quayside/contract/live/names'
import { type Call, World } from '@quayside/embedded/world'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { withHeldTable } from './postgres/held-table.ts'

const links = '/portal-api/v2/applinks'
const catalog = '/catalog/v2/items'
const floodAtOnce = 200
const floodMs = 4000
const metricsToken = 'a-token-of-prometheus'

let world: World

beforeAll(async () => {
  world = await World.start({ cluster: false, env: { QUAYSIDE_METRICS_TOKEN: metricsToken } })
  await world.addReplica({ realm: 'abroad' })
})
afterAll(() => world?.close())

type Token = () => Promise<string>
const administrator = (realm?: string) => world.accountWith({ realmRoles: ['quayside-admin'], realm })

interface Answer {
  status: number
  retryAfter: string | null
  code: string | undefined
}

async function ask(token: Token, path: string, call: Call = {}): Promise<Answer> {
  const answer = await world.api(path, { ...call, token: await token() })
  const body = (await answer.json()) as { code?: string }
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), code: body.code }
}

/** Keeps many calls of one person under way until it is stopped. */
function flood(send: () => Promise<Answer>) {
  const answers: Answer[] = []
  const until = performance.now() + floodMs
  const caller = async () => {
    while (performance.now() < until) answers.push(await send())
  }
  const ended = Promise.all(Array.from({ length: floodAtOnce }, caller)).then(() => answers)
  return { ended, isOver: () => performance.now() > until }
}

/** Calls one after the other, as somebody does who uses the portal. */
async function use(isOver: () => boolean, calls: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  const answers: Answer[] = []
  while (!isOver()) for (const call of calls) answers.push(await call())
  return answers
}

const statusesOf = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))].sort()
const many = <T>(count: number, one: () => Promise<T>) => Promise.all(Array.from({ length: count }, one))
let names = 0
const addLink = (token: Token) => ask(token, links, { body: { name: `Berth ${names++}`, url: 'https://example.org' } })

test('who floods a slow database is asked to wait, and nobody else notices', { timeout: 60_000 }, async () => {
  const people = [administrator(), administrator(), administrator('abroad')] as const
  const [flooder, colleague, stranger] = await Promise.all(people)
  for (const token of [flooder, colleague, stranger]) expect((await ask(token, links)).status).toBe(200)
  const [answers, ofColleague, ofStranger] = await withHeldTable(world, 'catalog_items', async (release) => {
    const { ended, isOver } = flood(() => ask(flooder, catalog))
    const others = [colleague, stranger].map((token) => use(isOver, [() => ask(token, links), () => addLink(token)]))
    const told = await Promise.all(others)
    await release()
    return [await ended, ...told]
  })
  expect(statusesOf(answers ?? [])).toEqual([200, 429])
  for (const { status, code, retryAfter } of answers ?? [])
    if (status === 429) expect([code, Number(retryAfter) > 0]).toEqual(['request.too-many', true])
  for (const others of [ofColleague, ofStranger]) expect(statusesOf(others ?? [])).toEqual([200, 201])
})

test('writes are refused last', { timeout: 60_000 }, async () => {
  const [reader, writer] = await Promise.all([administrator(), administrator()])
  for (const token of [reader, writer]) expect((await ask(token, catalog)).status).toBe(200)
  const [read, written] = await withHeldTable(world, 'app_links', async (release) => {
    const answers: Answer[] = []
    const reading = many(100, async () => answers.push(await ask(reader, links)))
    const writing = many(100, () => addLink(writer))
    await expect.poll(() => answers.length).toBeGreaterThan(0)
    await release()
    await reading
    return [answers, await writing] as const
  })
  expect(statusesOf(read)).toEqual([200, 429])
  expect(statusesOf(written)).toEqual([201])
})

test('who floods a socket is asked to wait, and nobody else notices', { timeout: 60_000 }, async () => {
  const [flooder, stranger] = await Promise.all([administrator(), administrator('abroad')])
  expect((await ask(stranger, links)).status).toBe(200)
  const socket = io(world.url, { path: socketPath, auth: { token: await flooder() }, forceNew: true })
  try {
    await vi.waitFor(() => expect(socket.connected).toBe(true))
    const replies: { ok: boolean; code?: string }[] = []
    await withHeldTable(world, 'action', async (release) => {
      for (let at = 0; at < 400; at += 1)
        socket.emit('register', `release-${at}`, (reply: { ok: boolean }) => replies.push(reply))
      await expect.poll(() => replies.length, { timeout: 10_000 }).toBeGreaterThan(0)
      const answers = await many(10, () => ask(stranger, links))
      expect(statusesOf(answers)).toEqual([200])
      await release()
    })
    await expect.poll(() => replies.length, { timeout: 20_000 }).toBe(400)
    expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([undefined, 'request.too-many']))
  } finally {
    socket.disconnect()
  }
})

test('the figures say how often and how long calls waited, and how many were refused', async () => {
  const figures = await (await world.api('/metrics', { token: metricsToken })).text()
  for (const name of ['database_waits_total', 'database_wait_seconds_total', 'calls_refused_total'])
    expect(Number(new RegExp(`^quayside_${name} (\\S+)$`, 'm').exec(figures)?.[1]), name).toBeGreaterThan(0)
})

test('the log says how many calls were refused, without a stack, and the portal is ready', async () => {
  expect((await world.api('/readyz')).status).toBe(200)
  const log = () => readFileSync(join(world.dataDir, 'portal.log'), 'utf8')
  await expect.poll(() => /"refused":\d+,"msg":"calls were refused/.test(log()), { timeout: 15_000 }).toBe(true)
  const outages = log().match(/"stack"|cannot be reached/g)
  expect(outages).toBeNull()
})
