import type { Permission } from '@quayside/contract/permissions/permission-entry'
import { type Replica, World } from '@quayside/embedded/world'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  deployBody,
  makeTeam,
  makeTenant,
  newPerson,
  type Person,
  type Team,
  type Tenant,
} from '../../permissions/two-teams.ts'

const promisedMs = 5000
let world: World
let replica: Replica
let tenant: Tenant
let team: Team
/** The last action of the release. */
let newest: string
const sockets: Socket[] = []
const streams = new AbortController()

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 } })
  replica = await world.addReplica()
  tenant = await makeTenant(world)
  team = await makeTeam(world, tenant, 'harbour')
  newest = team.action.id
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect()
})
afterAll(async () => {
  streams.abort()
  await world?.close()
})

const listPath = () => `/portal-api/v3/spaces/${team.space.id}/permissions`

/** Somebody whose only way into the space is an entry of its list. */
async function listed(role = 'viewer'): Promise<{ who: Person; entry: Permission }> {
  const who = await newPerson(world)
  const body = { principal: { type: 'user', id: who.id }, role }
  return { who, entry: await team.manager.good<Permission>(listPath(), { body }) }
}

/** Follows a log at one replica, usually that of the pod; the moment at which it ended is in `endedAt`. */
async function followedLog(url: string, { token }: Person, of = `pods/${team.pod}`) {
  const log: { endedAt?: number } = {}
  const answer = await fetch(`${url}/log/v1/apps/${team.app.id}/${of}?follow=true`, {
    headers: { authorization: `Bearer ${token}` },
    signal: streams.signal,
  })
  expect(answer.status).toBe(200)
  const reader = answer.body?.getReader()
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
  const untilEnd = async () => {
    while ((await reader?.read())?.done === false);
  }
  void untilEnd()
    .catch(() => undefined)
    .then(() => {
      log.endedAt = performance.now()
    })
  return log
}

/** A socket at one replica that follows the release of the app. */
async function registered(url: string, { token }: Person) {
  const socket = io(url, { path: '/deployment/socket.io', auth: { token }, forceNew: true, reconnection: false })
  sockets.push(socket)
  const heard: string[] = []
  socket.onAny((name: string, told: unknown) => heard.push(`${name} ${JSON.stringify(told)}`))
  await expect.poll(() => socket.connected).toBe(true)
  const reply: unknown = await socket.emitWithAck('register', { releaseName: team.app.releaseName, lastSeq: 1 })
  expect(reply).toMatchObject({ ok: true })
  // The rest of the action that has ended is told: the registration works.
  await expect.poll(() => heard.some((line) => line.includes(newest))).toBe(true)
  return { socket, heard }
}

async function upgrade(): Promise<string> {
  const { releaseName, ...body } = deployBody(tenant, team.space, team.app, '', `code: ${team.secret}\n`)
  const { actionId } = await team.deployer.good<{ actionId: string }>(
    '/deployment/v1/helm/deployment/actions.Upgrade',
    { body },
  )
  newest = actionId
  return actionId
}

const takeOff = ({ entry }: { entry: Permission }) =>
  team.manager.good(`${listPath()}/${entry.id}`, { method: 'DELETE' })
async function disable({ who }: { who: Person }): Promise<void> {
  const directory = await world.directory()
  await directory.put(`/users/${who.id}`, { ...(await directory.get<object>(`/users/${who.id}`)), enabled: false })
}

it('a log is not followed with its secrets by somebody who was made a viewer', async () => {
  const { who, entry } = await listed('deployer')
  const log = await followedLog(world.url, who)
  await team.manager.good(listPath(), {
    method: 'PUT',
    body: { id: entry.id, role: 'viewer', owner: false, expiresAt: null },
  })
  const begun = performance.now()
  await expect.poll(() => log.endedAt, { timeout: promisedMs + 1000, interval: 50 }).toBeDefined()
  expect((log.endedAt ?? 0) - begun).toBeLessThan(promisedMs)
  expect((await world.api(`/portal-api/v2/apps/${team.app.id}`, { token: who.token })).status).toBe(200)
})

describe.each([
  ['the replica where it happens', () => world.url],
  ['another replica', () => replica.url],
] as const)('at %s', (_, urlOf) => {
  it.each([
    ['taken off the list of the space', takeOff, true],
    ['disabled', disable, false],
  ] as const)(
    'a log and a release are followed for five seconds at most by somebody who was %s',
    async (_, lose, stays) => {
      const url = urlOf()
      const person = await listed()
      const logs = [await followedLog(url, person.who), await followedLog(url, person.who, 'lines')]
      const { socket, heard } = await registered(url, person.who)
      // Somebody who goes on hears of the same, so that silence means something.
      const other = await registered(url, team.viewer)
      await lose(person)
      const begun = performance.now()
      for (const log of logs) {
        await expect.poll(() => log.endedAt, { timeout: promisedMs + 1000, interval: 50 }).toBeDefined()
        expect((log.endedAt ?? 0) - begun).toBeLessThan(promisedMs)
      }
      if (!stays) await expect.poll(() => socket.connected, { timeout: promisedMs }).toBe(false)
      await expect.poll(() => performance.now() - begun, { timeout: promisedMs + 1000 }).toBeGreaterThan(promisedMs)
      const before = heard.length
      const actionId = await upgrade()
      await expect
        .poll(() => other.heard.some((line) => line.startsWith('Upgrade') && line.includes(actionId)), {
          timeout: 30_000,
        })
        .toBe(true)
      expect(heard.slice(before).filter((line) => line.includes(actionId))).toEqual([])
      if (stays) expect(socket.connected).toBe(true)
    },
  )
})
