import type { Action } from '@quayside/contract/deployments/endpoints'
import { type Revision, revisionsOf } from './releases.ts'
import type { Stage } from './stage.ts'
import type { Subject } from './subject.ts'

/** Counts before a command, to compare with those after it. */
interface Tally {
  actions: number
  apps: number
  newest: number
}

export async function tallyOf(stage: Stage, { releaseName }: Pick<Subject, 'releaseName'>): Promise<Tally> {
  const [actions, apps] = await Promise.all([stage.ledger.countActions(), stage.ledger.countApps()])
  const revisions = releaseName ? await revisionsOf(stage, releaseName) : []
  return { actions, apps, newest: revisions[0]?.revision ?? 0 }
}

/** I6 after one command, however often it was sent: one row of the ledger, one app or one revision that came of it. */
export async function wrongEffect(stage: Stage, subject: Subject, action: Action, before: Tally): Promise<string[]> {
  const now = await tallyOf(stage, subject)
  const starts = startsOf(await stage.ledger.lines(action.id))
  const broken = wrongRevisions({ ...action, starts }, await revisionsMade(stage, subject, before.newest))
  if (now.actions !== before.actions + 1) broken.push(`I6 one command made ${now.actions - before.actions} actions`)
  const isSuccess = action.state === 'Success'
  const appsMade = isSuccess && action.kind === 'Assign' ? 1 : isSuccess && action.kind === 'Delete' ? -1 : 0
  if (now.apps !== before.apps + appsMade) broken.push(`I6 ${now.apps - before.apps} apps came of one ${action.kind}`)
  return broken
}

/** Those that are newer than one. */
export async function revisionsMade(
  stage: Stage,
  { releaseName }: Pick<Subject, 'releaseName'>,
  newest: number,
): Promise<Revision[]> {
  const all = releaseName ? await revisionsOf(stage, releaseName) : []
  return all.filter(({ revision }) => revision > newest)
}

const start = /^(?:Installing release|Upgrading release|Deleting release|Rolling back \S+ to revision) /
const turnedAway = /^The API of the cluster is not available to Helm, .*: trying again in /

/** Starts of Helm that an action's log tells, without those that the cluster's API let do nothing. */
export function startsOf(lines: readonly string[]): number {
  return lines.filter((line) => start.test(line)).length - lines.filter((line) => turnedAway.test(line)).length
}

const withoutRelease = new Set<Action['kind']>(['Assign', 'Prepare', 'DeleteSpace', 'DeregisterCluster'])

/**
 * Checks the revisions of one action: at most one for each start of Helm, all its own, and exactly one that was ever
 * deployed if it succeeded; a start that was cut leaves one that failed.
 */
export function wrongRevisions(
  action: Pick<Action, 'id' | 'kind' | 'state'> & { starts: number },
  made: readonly Revision[],
): string[] {
  const { id, kind, state, starts } = action
  if (withoutRelease.has(kind)) return []
  const broken: string[] = []
  const most = kind === 'Delete' ? 0 : starts
  if (made.length > most) broken.push(`I6 ${made.length} revisions came of ${starts} starts of Helm for one ${kind}`)
  // Helm gives a rollback the labels of what it goes back to.
  const foreign = kind === 'Rollback' ? [] : made.filter((each) => each.action !== id)
  if (foreign.length > 0) broken.push(`I6 revision ${foreign[0]?.revision} came of somebody else's action`)
  const effects = made.filter(tookEffect).length
  const wanted = state === 'Success' && kind !== 'Delete' ? 1 : 0
  if (effects !== wanted) broken.push(`I6 ${effects} revisions took effect of one ${kind} that ended as ${state}`)
  return broken
}

/** Helm calls also what failed superseded, once something was deployed over it; how it ended stays in its description. */
function tookEffect({ status, description }: Revision): boolean {
  return status === 'deployed' || (status === 'superseded' && /complete$|^Rollback to \d+$/.test(description))
}
