import type { TopicName } from '@quayside/contract/capabilities'
import { Id } from '@quayside/contract/http/primitives'
import type { Topic } from '@quayside/contract/live/live'
import type { TopicRule } from '@quayside/contract/live/topic-rule'
import { z } from 'zod'
import type { Actor } from '../auth/actor.ts'
import { holdsAny } from '../auth/policy.ts'
import type { Rights } from '../auth/rights.ts'
import { callers } from '../concurrency/fair-places.ts'
import type { LiveSocket } from './live.ts'

/** A note of a change. `id` is empty when it is about no single thing, `spaceId` when it is about no space. */
export interface Note {
  tenantId: string
  topic: TopicName
  id: string
  spaceId: string
}

/** Topics of all capabilities. */
export type TopicRules = Readonly<Record<TopicName, TopicRule>>

const maxTopics = 50

export function roomOf(tenantId: string, topic: string, id?: string): string {
  return `topic:${tenantId}:${topic}:${id ?? ''}`
}

/** The topic sent to somebody about a change; undefined when they may not see it. */
export async function toldOf(
  rules: TopicRules,
  rights: Rights,
  actor: Actor,
  { topic, id, spaceId }: Note,
): Promise<Topic | undefined> {
  const { policy, idIs, idFor } = rules[topic]
  const isTold = id !== '' && (idFor === undefined || holdsAny(actor, idFor))
  const note: Topic = { topic, ...(isTold ? { id } : {}) }
  if (idIs === 'person' && id !== actor.userId) return undefined
  if (policy.kind === 'role') return holdsAny(actor, policy.anyOf) ? note : undefined
  if (policy.kind === 'filtered') {
    const place = spaceId || (idIs === 'space' ? id : '')
    return (await rights.mayHear(actor, place || null, policy.scope)) ? note : undefined
  }
  if (policy.kind === 'somewhere')
    return holdsAny(actor, policy.orRole) || (await rights.hearsSomewhere(actor, policy.anyOf)) ? note : undefined
  return note
}

/** Reads the topic that a browser names; whatever is none is undefined. */
function topicReader(rules: TopicRules): (asked: unknown) => Topic | undefined {
  const names = Object.keys(rules) as TopicName[]
  const Asked = z.object({ topic: z.enum(names), id: Id.optional() })
  return (asked) => Asked.safeParse(asked).data
}

/** Work done while somebody watches a thing: started with the first watcher, stopped with the last. */
export function createWatchers() {
  const starters = new Map<string, (tenantId: string, id: string) => () => void>()
  const active = new Map<string, { count: number; stop: () => void }>()
  return {
    starters,
    enter(tenantId: string, topic: string, id: string): () => void {
      const start = starters.get(topic)
      if (!start || !id) return () => undefined
      const key = roomOf(tenantId, topic, id)
      // It goes on for everybody who watches, and so for none of them.
      const entry = active.get(key) ?? { count: 0, stop: callers.exit(() => start(tenantId, id)) }
      entry.count += 1
      active.set(key, entry)
      return () => {
        entry.count -= 1
        if (entry.count > 0) return
        active.delete(key)
        entry.stop()
      }
    },
  }
}
type Watchers = ReturnType<typeof createWatchers>

/** Lets a socket watch topics. A thing in a space is only watched by people who see it, and no longer than they do. */
export function serveTopics(
  socket: LiveSocket,
  { watchers, rights, rules }: { watchers: Watchers; rights: Rights; rules: TopicRules },
): { recheck(): Promise<void> } {
  const read = topicReader(rules)
  const left = new Map<string, () => void>()
  /** Asked for and not taken back, while it is looked up whether the thing is there for them. */
  const wanted = new Map<string, Topic>()

  const leave = (room: string) => {
    wanted.delete(room)
    left.get(room)?.()
    left.delete(room)
    void socket.leave(room)
  }
  const sees = async ({ topic, id }: Topic) => {
    const { place } = rules[topic]
    return place === undefined || id === undefined || (await rights.at(socket.data.actor, place, [id])).has(id)
  }
  const enter = (room: string, topic: Topic) => {
    if (left.has(room) || wanted.get(room) !== topic || !socket.connected) return
    void socket.join(room)
    left.set(room, watchers.enter(socket.data.actor.tenantId, topic.topic, topic.id ?? ''))
  }

  socket.on('watch', (asked: unknown) => {
    const topic = read(asked)
    if (!topic || wanted.size >= maxTopics) return
    const room = roomOf(socket.data.actor.tenantId, topic.topic, topic.id)
    if (wanted.has(room)) return
    wanted.set(room, topic)
    sees(topic)
      .then((isVisible) => (isVisible ? enter(room, topic) : leave(room)))
      .catch(() => leave(room))
  })
  socket.on('unwatch', (asked: unknown) => {
    const topic = read(asked)
    if (topic) leave(roomOf(socket.data.actor.tenantId, topic.topic, topic.id))
  })
  socket.on('disconnect', () => {
    for (const room of [...wanted.keys()]) leave(room)
  })
  return {
    async recheck() {
      for (const [room, topic] of [...wanted]) if (!(await sees(topic).catch(() => false))) leave(room)
    },
  }
}
