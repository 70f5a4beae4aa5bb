import { Topic } from '@quayside/contract/live'
import { topicPolicies } from '@quayside/contract/policies/live'
import { role } from '@quayside/contract/policy'
import type { Actor } from './actor.ts'
import type { LiveSocket } from './live.ts'
import { holdsAny } from './policy.ts'
import type { Rights } from './rights.ts'

/** A note of a change. `id` is empty when it is about no single thing, `spaceId` when it is about no space. */
export interface Note {
  tenantId: string
  topic: Topic['topic']
  id: string
  spaceId: string
}

const maxTopics = 50

export function roomOf(tenantId: string, topic: string, id?: string): string {
  return `topic:${tenantId}:${topic}:${id ?? ''}`
}

/** The topic sent to somebody about a change; undefined when they may not see it. */
export async function toldOf(rights: Rights, actor: Actor, { topic, id, spaceId }: Note): Promise<Topic | undefined> {
  const policy = topicPolicies[topic]
  const note: Topic = { topic, ...(id ? { id } : {}) }
  if (policy.kind === 'role') return holdsAny(actor, policy.anyOf) ? note : undefined
  if (policy.kind === 'filtered') {
    const place = spaceId || (topic === 'spaces' ? id : '')
    return (await rights.mayHear(actor, place || null, policy.scope)) ? note : undefined
  }
  if (policy.kind === 'somewhere')
    return holdsAny(actor, policy.orRole) || (await rights.hearsSomewhere(actor, policy.anyOf)) ? note : undefined
  if (topic === 'menu') return id === actor.userId ? note : undefined
  return topic === 'clusters' && !holdsAny(actor, [role('clusters', 'clusters.view')]) ? { topic } : note
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
      const entry = active.get(key) ?? { count: 0, stop: start(tenantId, id) }
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
export type Watchers = ReturnType<typeof createWatchers>

/** Lets a socket watch topics. An app is only watched by who sees it, and no longer than they do. */
export function serveTopics(socket: LiveSocket, watchers: Watchers, rights: Rights): { recheck(): Promise<void> } {
  const left = new Map<string, () => void>()
  /** Asked for and not taken back, while it is looked up whether the thing is there for them. */
  const wanted = new Map<string, Topic>()

  const leave = (room: string) => {
    wanted.delete(room)
    left.get(room)?.()
    left.delete(room)
    void socket.leave(room)
  }
  const sees = async ({ topic, id }: Topic) =>
    topic !== 'app' || id === undefined || (await rights.at(socket.data.actor, 'app', [id])).has(id)
  const enter = (room: string, topic: Topic) => {
    if (left.has(room) || wanted.get(room) !== topic || !socket.connected) return
    void socket.join(room)
    left.set(room, watchers.enter(socket.data.actor.tenantId, topic.topic, topic.id ?? ''))
  }

  socket.on('watch', (asked: unknown) => {
    const topic = Topic.safeParse(asked)
    if (!topic.success || wanted.size >= maxTopics) return
    const room = roomOf(socket.data.actor.tenantId, topic.data.topic, topic.data.id)
    if (wanted.has(room)) return
    wanted.set(room, topic.data)
    sees(topic.data)
      .then((isVisible) => (isVisible ? enter(room, topic.data) : leave(room)))
      .catch(() => leave(room))
  })
  socket.on('unwatch', (asked: unknown) => {
    const topic = Topic.safeParse(asked)
    if (topic.success) leave(roomOf(socket.data.actor.tenantId, topic.data.topic, topic.data.id))
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
