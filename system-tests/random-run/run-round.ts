import type { Action } from '@quayside/contract/deployments/endpoints'
import { traceHelm, watchOrphans } from '../fault-matrix/helm-trace.ts'
import { brokenRelease, leftovers, wrongAccess, wrongEvents } from '../fault-matrix/invariants.ts'
import { listenTo } from '../fault-matrix/listener.ts'
import { revisionsMade, startsOf, tallyOf, wrongRevisions } from '../fault-matrix/one-effect.ts'
import { revisionsOf } from '../fault-matrix/releases.ts'
import type { Stage } from '../fault-matrix/stage.ts'
import { leaseSeconds } from '../fault-matrix/worker.ts'
import { after, untrueAnswers } from './app-model.ts'
import { startFaults } from './faults.ts'
import type { Round } from './plan.ts'
import { type Player, play, type Sent, wasCancelled } from './player.ts'

/** Carries out a round and says what is not as it must be; each player knows afterwards what its app is. */
export async function runRound(stage: Stage, players: readonly Player[], round: Round): Promise<string[]> {
  const before = await tallyOf(stage, { releaseName: null })
  const newest = players.map(({ model }) => model.revisions[0] ?? 0)
  const traces = players.map(({ releaseName }) => traceHelm(releaseName))
  const orphans = watchOrphans(stage.runsFolder)
  const token = await stage.adminToken()
  const browsers = players.map(({ releaseName }) => listenTo(stage.world.url, token, releaseName))
  const broken: string[] = []
  try {
    const { over } = await startFaults(stage, round.troubles)
    const played = await Promise.all(
      players.map(async (player, index) => {
        const order = round.orders[index]
        return order ? play(stage, player, order) : { sent: [], broken: [] }
      }),
    )
    await over
    await calm(stage)
    for (const [index, player] of players.entries()) {
      const { sent, broken: told } = played[index] ?? { sent: [], broken: [] }
      const wrong = [...told, ...(await judge(stage, player, sent, newest[index] ?? 0))]
      const most = traces[index]?.mostAtOnce() ?? 0
      if (most > 1) wrong.push(`I5 ${most} Helm wrote the release at once`)
      const [{ action } = { action: undefined }] = sent
      if (action && sent.length === 1) wrong.push(...((await browsers[index]?.wrong(action.id, action.lastSeq)) ?? []))
      broken.push(...wrong.map((line) => `${player.releaseName}: ${line}`))
    }
    const accepted = played.flatMap(({ sent }) => sent.flatMap(({ action }) => action ?? []))
    broken.push(...(await wrongCounts(stage, before, accepted)))
    broken.push(
      ...(await leftovers(
        stage,
        players.map(({ releaseName }) => releaseName),
      )),
    )
    // One that is killed while its supervisor stands still leaves its Helm to the portal that starts next.
    const isLeft = round.troubles.some((one) => one.is === 'freeze' && one.whom === 'supervisor')
    if (!isLeft && orphans.longestMs() > leaseSeconds * 1000)
      broken.push(`I5 Helm outlived its portal by ${Math.round(orphans.longestMs())} ms`)
    return broken
  } finally {
    for (const { stop } of [...traces, orphans]) stop()
    for (const browser of browsers) browser.close()
    await calm(stage)
  }
}

async function calm(stage: Stage): Promise<void> {
  stage.disarm()
  await stage.faults.clear()
  await stage.revive()
}

/** The answers against what the app was, and its release, its access and the ledger's events against what they say it is. */
async function judge(stage: Stage, player: Player, sent: readonly Sent[], newest: number): Promise<string[]> {
  const seen = await revisionsOf(stage, player.releaseName)
  const revisions = seen.map(({ revision }) => revision)
  const isDeployed = seen.some(({ status }) => status === 'deployed')
  const models = [player.model]
  const accepted = sent.flatMap(({ action }) => action ?? []).sort(byAcceptance)
  for (const action of accepted) {
    const { kind } = sent.find((each) => each.action === action) ?? {}
    const model = models.at(-1)
    if (kind && model)
      models.push(after(model, { kind, state: action.state, isCancelled: wasCancelled(action), revisions, isDeployed }))
  }
  player.model = models.at(-1) ?? player.model
  const broken = untrueAnswers(sent.map(timed), models)
  for (const action of accepted) broken.push(...(await wrongEvents(stage, action)))
  const last = accepted.at(-1)
  if (!last) return broken
  broken.push(...(await brokenRelease(stage, player.releaseName, last)))
  if (accepted.length === 1) {
    const starts = startsOf(await stage.ledger.lines(last.id))
    broken.push(...wrongRevisions({ ...last, starts }, await revisionsMade(stage, player, newest)))
  }
  broken.push(...(await wrongAccess(stage, player.app.id, player.group, player.model.hasAccess)))
  return broken.map((line) => (line.startsWith('I') ? `${line} (${last.kind} ${last.id})` : line))
}

function timed({ kind, revision, answer, action }: Sent) {
  const times = action && { from: Date.parse(action.acceptedAt), to: Date.parse(action.finishedAt ?? '') }
  return { kind, revision, answer, action: times }
}

function byAcceptance(a: Action, b: Action): number {
  return Date.parse(a.acceptedAt) - Date.parse(b.acceptedAt)
}

/** I6 of all together: as many actions as commands were accepted, and no app but those that were deleted is gone. */
async function wrongCounts(
  stage: Stage,
  before: { actions: number; apps: number },
  accepted: readonly Action[],
): Promise<string[]> {
  const now = await tallyOf(stage, { releaseName: null })
  const deleted = accepted.filter(({ kind, state }) => kind === 'Delete' && state === 'Success').length
  return [
    ...(now.actions - before.actions === accepted.length
      ? []
      : [`I6 ${accepted.length} commands made ${now.actions - before.actions} actions`]),
    ...(before.apps - now.apps === deleted ? [] : [`I6 ${deleted} deletions took ${before.apps - now.apps} apps`]),
  ]
}
