import { setTimeout as delay } from 'node:timers/promises'

/** Answers that callers got while they wrote without a pause. */
export interface Acknowledged {
  /** Ids of the objects made by writes that were answered with success. */
  acknowledged: string[]
  /** Answers that say that the database is away or full. */
  refused: number
  /** No answer at all: the connection was refused or reset. */
  unanswered: number
  /** Any other answer; there should be none. */
  wrong: string[]
}

type Answer = { status: number; body: unknown }

/** Writes with so many callers at once until it is stopped; who is refused tries again a moment later. */
export function startWriters(count: number, write: () => Promise<Answer>) {
  const told: Acknowledged = { acknowledged: [], refused: 0, unanswered: 0, wrong: [] }
  let isStopped = false
  async function caller() {
    while (!isStopped) {
      const answer = await write().catch(() => undefined)
      if (!noted(told, answer)) await delay(50)
    }
  }
  const callers = Array.from({ length: count }, caller)
  return {
    told,
    async stop() {
      isStopped = true
      await Promise.all(callers)
    },
  }
}

function noted(told: Acknowledged, answer: Answer | undefined): boolean {
  if (!answer) {
    told.unanswered += 1
    return false
  }
  const { id, code } = (answer.body ?? {}) as { id?: string; code?: string }
  if (answer.status < 300 && id) {
    told.acknowledged.push(id)
    return true
  }
  if (code?.startsWith('database.')) told.refused += 1
  else told.wrong.push(`${answer.status} ${JSON.stringify(answer.body)}`)
  return false
}
