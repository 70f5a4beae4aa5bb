import { setTimeout as delay } from 'node:timers/promises'
import { type App, apps } from '@quayside/contract/apps/endpoints'
import { type Action, type ActionEvent, deployments } from '@quayside/contract/deployments/endpoints'
import { type ListReply, mostEventsAtOnce } from '@quayside/contract/http/paging'
import { pathOf } from '@quayside/contract/http/path'
import { encodeQuery } from '@quayside/contract/http/query-string'
import { type Space, spaces } from '@quayside/contract/spaces/endpoints'
import type { Story } from '@quayside/embedded/story/story'

export type Ledger = ReturnType<typeof createLedger>

const timeoutMs = 15_000
const mostInPage = 1000

/** Says to the log that an action is worked on again after whoever had it was lost. */
const takenUpAgain = 'The work on this was interrupted and is taken up again'

/**
 * The ledger as an administrator's script reads it. A question that nobody answers is asked again, after `revive`: what
 * was broken may still be on its way down.
 */
export function createLedger(admin: () => Promise<Story>, revive: () => Promise<void> = async () => undefined) {
  async function call<T>(path: string): Promise<{ status: number; body: T }> {
    const until = performance.now() + timeoutMs
    for (;;) {
      try {
        const answer = await (await admin()).call<T>(path)
        if (answer.status < 500) return answer
        throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
      } catch (error) {
        if (performance.now() > until) throw error
        await delay(100)
        await revive()
      }
    }
  }
  async function good<T>(path: string): Promise<T> {
    const { status, body } = await call<T>(path)
    if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }
  const page = <T>(path: string, query: object) => good<ListReply<T>>(`${path}?${encodeQuery({ ...query })}`)
  const totalOf = async (path: string) => (await page(path, { page: { limit: 1 } })).page.total

  async function pages<T>(path: string, filters: object): Promise<T[]> {
    const all: T[] = []
    for (;;) {
      const { data } = await page<T>(path, { filters, page: { skip: all.length, limit: mostInPage } })
      all.push(...data)
      if (data.length < mostInPage) return all
    }
  }

  async function events(id: string): Promise<ActionEvent[]> {
    const all: ActionEvent[] = []
    for (;;) {
      const path = `${pathOf(deployments.actionEvents, { id })}?after=${all.at(-1)?.seq ?? 0}`
      const { data } = await good<{ data: ActionEvent[] }>(path)
      all.push(...data)
      if (data.length < mostEventsAtOnce) return all
    }
  }

  /** The lines of an action's log. */
  async function lines(id: string): Promise<string[]> {
    const messages = (await events(id)).filter(({ event }) => event === 'message')
    return messages.map(({ payload }) => (payload as { message: string }).message)
  }

  return {
    events,
    lines,
    /** Undefined when there is none of this id. */
    async find(id: string): Promise<Action | undefined> {
      const { status, body } = await call<Action>(pathOf(deployments.getAction, { id }))
      return status === 200 ? body : undefined
    },
    /** The action that a command became, by the key that it was sent with; it is among the newest. */
    async byKey(key: string): Promise<Action | undefined> {
      const { data } = await page<Action>(pathOf(deployments.listActions), { page: { limit: 100 } })
      return data.find(({ idempotencyKey }) => idempotencyKey === key)
    },
    /** Every action of a kind. */
    ofKind: (kind: Action['kind']) => pages<Action>(pathOf(deployments.listActions), { kind }),
    apps: () => pages<App>(pathOf(apps.listApps), {}),
    spaces: () => pages<Space>(pathOf(spaces.listSpaces), {}),
    countActions: () => totalOf(pathOf(deployments.listActions)),
    countApps: () => totalOf(pathOf(apps.listApps)),
    /** How often somebody else has taken the action over, or the same one after a fault. */
    takeovers: async (id: string) => (await lines(id)).filter((line) => line === takenUpAgain).length,
  }
}

/** Asks again and again for an action until it has ended; undefined when it has not in time. */
export async function untilEnded(
  ask: () => Promise<Action | undefined>,
  timeoutMs: number,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<Action | undefined> {
  const until = performance.now() + timeoutMs
  while (performance.now() < until) {
    const action = await ask().catch(() => undefined)
    if (action && !action.running) return performance.now() > until ? undefined : action
    await meanwhile()
    await delay(50)
  }
  return undefined
}
