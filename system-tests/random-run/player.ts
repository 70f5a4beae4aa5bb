import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '@quayside/contract/apps/endpoints'
import type { Action } from '@quayside/contract/deployments/endpoints'
import { deployDataOf } from '@quayside/embedded/story/story'
import { untilEnded } from '../fault-matrix/ledger.ts'
import type { Stage } from '../fault-matrix/stage.ts'
import { assigned as assignApp } from '../fault-matrix/subject.ts'
import { type AppModel, assigned } from './app-model.ts'
import type { Order, OrderKind } from './plan.ts'

/** An app and what it has to be by now. */
export interface Player {
  app: App
  releaseName: string
  group: string
  install: unknown
  model: AppModel
}

/** A command as it was sent, and what became of it. */
export interface Sent {
  kind: OrderKind
  revision: number
  key: string
  answer: string
  action: Action | undefined
}

const answerWithinMs = 90_000
const endWithinMs = 120_000
const yaml = (replicas: number) => `replicas: ${replicas}\nimage: nginx:1.27\ncode: "hunter22"\nextra: {}\n`

export async function newPlayer(stage: Stage): Promise<Player> {
  const { app, releaseName, group, body } = await assignApp(stage)
  return { app, releaseName, group, install: body, model: assigned }
}

/** Sends what an order says and waits for every end of it; with whether a cancellation was promised. */
export async function play(stage: Stage, player: Player, order: Order): Promise<{ sent: Sent[]; broken: string[] }> {
  const { rival, cancelAfterMs } = order
  const first = send(stage, player, order.kind, order.replicas)
  const second = rival && delay(rival.afterMs).then(() => send(stage, player, rival.kind, order.replicas + 1))
  const cancelled = cancelAfterMs === null ? undefined : first.then((each) => cancel(stage, each.id, cancelAfterMs))
  const both = await Promise.all([first, ...(second ? [second] : [])])
  const isCancelled = await cancelled
  const sent: Sent[] = []
  const broken: string[] = []
  for (const { id, ...each } of both) {
    const action = id === '' ? undefined : await untilFinal(stage, each.key)
    if (id !== '' && !action) broken.push(`I1 ${each.kind} ${id} did not end in time`)
    if (action && action.id !== id) broken.push(`I6 ${each.kind} is ${action.id}, and was answered as ${id}`)
    if (action && !(await isKnown(stage, each, id))) broken.push(`I6 the key of ${each.kind} became something else`)
    sent.push({ ...each, action })
  }
  const [{ action } = { action: undefined }] = sent
  if (isCancelled && action && !wasCancelled(action)) broken.push(`${action.kind} ${action.id} was cancelled, and ran`)
  return { sent, broken }
}

export function wasCancelled({ state, result }: Action): boolean {
  return state === 'Failed' && (result?.summary.startsWith('Cancelled') ?? false)
}

type Command = Omit<Sent, 'action'> & { body: unknown }

async function send(
  stage: Stage,
  player: Player,
  kind: OrderKind,
  replicas: number,
): Promise<Command & { id: string }> {
  const { revisions } = player.model
  const revision = revisions[1] ?? 1
  const body = bodyOf(stage, player, kind, replicas, revision)
  const key = randomUUID()
  return { kind, revision, key, body, ...(await answered(stage, kind, body, key)) }
}

function bodyOf({ space, versions }: Stage, player: Player, kind: OrderKind, replicas: number, revision: number) {
  const { app, install } = player
  if (kind === 'Deploy') return install
  if (kind === 'Delete') return { app: { id: app.id } }
  if (kind === 'Rollback') return { appId: app.id, revision }
  const chosen = versions[replicas % 2 === 0 ? 1 : 0]
  return { appId: app.id, versionId: chosen.version.id, deployData: deployDataOf(app, space, chosen, yaml(replicas)) }
}

/** Sends again and again under the same key until there is a definite answer, like a careful client. */
async function answered(stage: Stage, kind: OrderKind, body: unknown, key: string) {
  const until = performance.now() + answerWithinMs
  let last = 'nothing'
  while (performance.now() < until) {
    try {
      const story = await stage.admin()
      const { status, body: told } = await story.post<{ actionId?: string; code?: string }>(kind, body, {
        'idempotency-key': key,
      })
      if (status < 300) return { answer: '202', id: told.actionId ?? '' }
      last = `${status} ${told.code}`
      if (status < 500) return { answer: last, id: '' }
    } catch (error) {
      last = String(error)
    }
    await delay(100)
    await stage.revive()
  }
  return { answer: `nobody: ${last}`, id: '' }
}

async function isKnown(stage: Stage, { kind, body, key }: Command, id: string): Promise<boolean> {
  return (await answered(stage, kind, body, key)).id === id
}

/** Tells whether it was promised; a portal that does not answer now has promised nothing. */
async function cancel(stage: Stage, id: string, afterMs: number): Promise<boolean> {
  if (id === '') return false
  await delay(afterMs)
  const story = await stage.admin()
  const path = `/deployment/v1/actions/${id}/cancel`
  const told = await story.call<{ state?: string }>(path, { method: 'POST' }).catch(() => undefined)
  return told !== undefined && told.status < 300 && told.body.state === 'Failed'
}

function untilFinal(stage: Stage, key: string): Promise<Action | undefined> {
  return untilEnded(() => stage.ledger.byKey(key), endWithinMs, stage.revive)
}
