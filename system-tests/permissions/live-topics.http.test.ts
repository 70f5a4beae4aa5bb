import { type TopicName, topicRules } from '@quayside/contract/capabilities'
import type { Topic } from '@quayside/contract/live/live'
import { socketPath } from '@quayside/contract/live/names'
import { createStory, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { teamsOn } from '../security/team-with-charts.ts'
import { foreignAdmin } from './actors.ts'
import { toldChanges } from './told-changes.ts'
import { changeOwnMenu, topicTries, type Watched } from './topic-tries.ts'

interface Listener {
  story: Story
  socket: Socket
  heard: Topic[]
}

const strangers = ['administrator of another tenant', 'member without a space', 'person without a role'] as const
const topics = Object.keys(topicRules) as TopicName[]
/** Longer than a note takes on a machine that is busy; who hears it goes on at once. */
const deadline = { timeout: 20_000, interval: 200 }

let world: World
let watched: Watched
let listeners: Record<(typeof strangers)[number] | 'deployer' | 'administrator', Listener>

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 }, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  const abroad = await foreignAdmin(world)
  const teams = await teamsOn(world)
  const team = await teams.team()
  watched = { teams, team, admin: teams.admin, app: await teams.assign(team) }
  const [member, roleless] = await Promise.all([
    world.tokenFor({ realmRoles: ['quayside-member'] }),
    world.tokenFor({ realmRoles: [] }),
  ])
  listeners = {
    deployer: await listener(team.story),
    administrator: await listener(teams.admin),
    'administrator of another tenant': await listener(createStory(world, abroad)),
    'member without a space': await listener(createStory(world, member)),
    'person without a role': await listener(createStory(world, roleless)),
  }
  await vi.waitFor(() => hearsItsOwn('deployer', 'app'), deadline)
  await Promise.all(strangers.map(hearsItsMenu))
})
afterAll(async () => {
  for (const { socket } of Object.values(listeners ?? {})) socket.disconnect()
  await world?.close()
})

/** A socket that watches every topic, and every thing that the table names by its id. */
async function listener(story: Story): Promise<Listener> {
  const socket = io(world.url, { path: socketPath, auth: { token: story.token }, forceNew: true })
  const heard: Topic[] = []
  socket.on('changed', (note: Topic) => heard.push(note))
  await vi.waitFor(() => expect(socket.connected).toBe(true), deadline)
  for (const topic of topics) {
    const id = topic === 'menu' ? story.userId : topicTries[topic].id(watched)
    for (const asked of [{ topic }, { topic, id }, { topic, id: topicTries[topic].id(watched) }])
      socket.emit('watch', asked)
  }
  return { story, socket, heard }
}

async function hearsItsOwn(who: 'deployer' | 'administrator', topic: TopicName): Promise<void> {
  const { heard } = listeners[who]
  await topicTries[topic].change(watched)
  const id = topicTries[topic].id(watched)
  expect(heard.some((note) => note.topic === topic && (id === undefined || note.id === id))).toBe(true)
}

/** Notes come in the order of their changes: once this one is heard, none of before is on its way. */
async function hearsItsMenu(who: (typeof strangers)[number]): Promise<void> {
  const { story, heard } = listeners[who]
  const isOwn = ({ topic, id }: Topic) => topic === 'menu' && id === story.userId
  heard.splice(0, heard.length, ...heard.filter((note) => !isOwn(note)))
  await vi.waitFor(async () => {
    await changeOwnMenu(story)
    expect(heard.some(isOwn)).toBe(true)
  }, deadline)
  heard.splice(0, heard.length, ...heard.filter((note) => !isOwn(note)))
}

it('the table has a row for every topic', () => {
  expect(Object.keys(topicTries).sort()).toEqual([...topics].sort())
})

it.each(topics)('%s: who is concerned hears it, nobody else does', async (topic) => {
  for (const { heard } of Object.values(listeners)) heard.length = 0
  const { heardBy, alsoHeardBy = {}, id } = topicTries[topic]
  await vi.waitFor(() => hearsItsOwn(heardBy, topic), deadline)
  for (const who of strangers) {
    await hearsItsMenu(who)
    const how = who === 'administrator of another tenant' ? undefined : alsoHeardBy[who]
    const expected = { topic, ...(how === 'with its id' ? { id: id(watched) } : {}) }
    const { heard } = listeners[who]
    const others = heard.filter((note) => !isAlsoOf(topic, note))
    const distinct = [...new Set(others.map((note) => JSON.stringify(note)))]
    expect(distinct, who).toEqual(how === undefined ? [] : [JSON.stringify(expected)])
  }
})

/** A change of a cluster is told to two topics: those who may not see clusters hear of one, without its id. */
function isAlsoOf(topic: TopicName, note: Topic): boolean {
  return topic === 'cluster' && note.topic === 'clusters' && note.id === undefined
}

/** Nobody else changes anything meanwhile: once nothing was heard for a while, the next note is of the next change. */
async function untilQuiet({ heard }: Listener): Promise<void> {
  let before = -1
  await vi.waitFor(
    () => {
      const isQuiet = heard.length === before
      before = heard.length
      expect(isQuiet).toBe(true)
    },
    { timeout: 20_000, interval: 400 },
  )
  heard.length = 0
}

it.each(toldChanges)('$topic hears it when $what', async ({ topic, begin, change }) => {
  const listener = listeners.administrator
  const id = await begin(listener.story)
  await untilQuiet(listener)
  await change(listener.story, id)
  await vi.waitFor(() => expect(listener.heard.map((note) => note.topic)).toContain(topic), deadline)
})
