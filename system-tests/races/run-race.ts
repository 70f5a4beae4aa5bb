import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '@quayside/contract/apps/endpoints'
import { deployDataOf, type Story } from '@quayside/embedded/story/story'
import { traceHelm } from '../fault-matrix/helm-trace.ts'
import { revisionsOf } from '../fault-matrix/releases.ts'
import type { Stage } from '../fault-matrix/stage.ts'
import type { Race, Racer } from './cases.ts'
import { brokenBy, type Ended, type Reported } from './verdict.ts'

export interface User {
  name: string
  story: Story
}
interface Refusal {
  code?: string
  field?: string
  details?: Reported['details']
  actionId?: string
}

const yaml = (replicas: number) => `replicas: ${replicas}\nimage: nginx:1.27\ncode: "hunter22"\nextra: {}\n`
let made = 0

/** Lets two users command one release and says what is not as it must be; with what each was answered. */
export async function runRace(stage: Stage, [ada, bo]: [User, User], race: Race) {
  const { app, releaseName } = await release(stage, ada.story, race)
  const bodies = bodiesOf(stage, app, releaseName)
  const send = (user: User, kind: Racer) => user.story.post<Refusal>(kind, bodies[kind])
  const trace = traceHelm(releaseName)
  try {
    const answers = await Promise.all([send(ada, race.first), delay(race.afterMs).then(() => send(bo, race.second))])
    for (const { body } of answers) if (body.actionId) await ada.story.ended(body.actionId)
    const told: [Reported, Reported] = [
      await toldOf(stage, ada, race.first, answers[0]),
      await toldOf(stage, bo, race.second, answers[1]),
    ]
    const broken = brokenBy(told, await revisionsOf(stage, releaseName), trace.mostAtOnce())
    return { broken, answers: told.map(({ status, code, action }) => action?.state ?? `${status} ${code}`) }
  } finally {
    trace.stop()
    await clear(ada.story, app)
  }
}

/** Takes away what is left: the nodes hold a few hundred pods, and further releases would only wait for room. */
async function clear(story: Story, app: App): Promise<void> {
  const { body } = await story.post<Refusal>('Delete', { app: { id: app.id } })
  if (body.actionId) await story.ended(body.actionId)
}

/** An app as the first command needs it: not installed for an installation, with a past for a rollback. */
async function release(stage: Stage, story: Story, { first, second }: Race) {
  const app = await story.assign(stage.space, stage.versions[0])
  made += 1
  const releaseName = await story.releaseName(app, `race${made}`)
  const bodies = bodiesOf(stage, app, releaseName)
  const needed: Racer[] = ['Deploy', ...([first, second].includes('Rollback') ? (['Upgrade'] as const) : [])]
  for (const kind of first === 'Deploy' ? [] : needed) {
    const sent = await story.post<Refusal>(kind, bodies[kind])
    if (!sent.body.actionId) throw new Error(`${kind} before the race answered ${JSON.stringify(sent)}`)
    const { state, result } = await story.ended(sent.body.actionId)
    if (state !== 'Success') throw new Error(`${kind} before the race failed: ${result?.summary}`)
  }
  return { app, releaseName }
}

function bodiesOf({ space, versions }: Stage, app: App, releaseName: string): Record<Racer, unknown> {
  const [older, newer] = versions
  return {
    Deploy: {
      appId: app.id,
      versionId: older.version.id,
      releaseName,
      deployData: deployDataOf(app, space, older, yaml(1)),
    },
    Upgrade: { appId: app.id, versionId: newer.version.id, deployData: deployDataOf(app, space, newer, yaml(2)) },
    Rollback: { appId: app.id, revision: 1 },
    Delete: { app: { id: app.id } },
  }
}

async function toldOf(
  stage: Stage,
  { name }: User,
  kind: Racer,
  { status, body }: { status: number; body: Refusal },
): Promise<Reported> {
  const { code = '', field, details, actionId } = body
  const told = { kind, user: name, status, code, field, details }
  return actionId ? { ...told, action: await endedOf(stage, actionId) } : told
}

async function endedOf({ ledger }: Stage, id: string): Promise<Ended | undefined> {
  const action = await ledger.find(id)
  if (!action) return undefined
  return {
    id,
    state: action.state,
    from: Date.parse(action.acceptedAt),
    to: action.finishedAt === null ? Number.POSITIVE_INFINITY : Date.parse(action.finishedAt),
    finals: (await ledger.events(id)).filter(({ event }) => event === action.kind).length,
  }
}
