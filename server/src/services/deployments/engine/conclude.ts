import type { ActionKind, IamResult, ResultLine } from '@quayside/contract/deployments/endpoints'
import type { LeftBehind } from '@quayside/contract/deployments/left-behind'
import { failpoint } from '../../../platform/config/failpoints.ts'
import { storedJson } from '../../../platform/db/stored-json.ts'
import type { UnitOfWork } from '../../../platform/db/unit-of-work.ts'
import { Failure, isDatabaseTrouble } from '../../../platform/http/errors.ts'
import { publishChanges } from '../commands/accept.ts'
import { rolesMade } from '../commands/version-roles.ts'
import type { NewEvent } from '../ledger/event-store.ts'
import { notesEvents } from '../releases/chart-notes.ts'
import { forgetAccess, keepAccess } from '../releases/revision-access.ts'
import { type ActionContext, abortOf, LeaseLostError, pause, type StepFailed } from './action-context.ts'
import { appBefore, endingLine, endingOf } from './ending.ts'
import type { Ending } from './lease-store.ts'
import { leftBehindBy, sayLeft } from './left-behind.ts'
import { accessMade } from './steps/access.ts'
import { staysOn } from './steps/clear.ts'
import type { HelmEnd } from './steps/findings.ts'

/** Findings that the end of an action tells. */
export interface Ended {
  helm: HelmEnd
  iam: IamResult | null
}

/** Ends an action that succeeded. */
export async function succeed(context: ActionContext, ended: Ended): Promise<void> {
  const [summary, lines] = [successText(context, ended.helm), [...staying(context), ...tooLate(context)]]
  await conclude(context, ended, { state: 'Success', summary, lines })
}

/** Ends an action that failed; the reason is worded for people. */
export async function giveUp(context: ActionContext, ended: Ended, failure: StepFailed): Promise<void> {
  const open: ResultLine[] = ended.helm.open.map(({ kind, name, detail, lastEvent }) => ({
    message: `${kind} ${name} ${detail}${lastEvent ? `: ${lastEvent}` : ''}`,
    isSummary: false,
    resultType: 'error',
  }))
  const what = failing[context.action.kind]
  const aborted = abortOf(context)
  const leftBehind = ended.helm.stopped === null ? null : await leftBehindBy(context)
  const summary = aborted
    ? `${what} aborted by ${aborted.who}. ${leftBehind ? sayLeft(leftBehind) : failure.message}`
    : `${what} failed: ${failure.message}`
  const lines = [...failure.lines, ...(aborted ? [] : open)]
  await conclude(context, ended, { state: 'Failed', summary, lines, leftBehind })
}

/**
 * Ends a cancelled action and leaves its app as it was before. The app of an installation whose access
 * could not be taken back keeps its release name: with that its deletion takes the access back.
 */
export function endCancelled(context: ActionContext, ended: Ended, who: string, isTakenBack: boolean): Promise<void> {
  const summary = `Cancelled by ${who} before Helm was started`
  return endUnbegun(context, ended, { summary, level: 'info', isTakenBack })
}

/** The same end, for whatever reason no Helm is started any more. */
export async function endUnbegun(
  context: ActionContext,
  ended: Ended,
  { summary, level, isTakenBack }: { summary: string; level: 'info' | 'error'; isTakenBack: boolean },
): Promise<void> {
  const { action, journal } = context
  journal.add(endingLine(action.kind, summary, level))
  const isAsBefore = isTakenBack || action.kind !== 'Deploy'
  const stateMessage = `${summary}, but access to it could not be taken back. Deploy the app again, or delete it`
  const before = isAsBefore ? appBefore(action) : ({ state: 'failed', stateMessage } as const)
  await conclude(context, ended, { state: 'Failed', summary, lines: [], before })
}

/** Result lines about everything that stays on a cluster that was forgotten. */
function staying({ input }: ActionContext): ResultLine[] {
  if (input.kind !== 'DeregisterCluster' || !input.forget) return []
  return staysOn(input.namespaces).map((message) => ({ message, isSummary: false, resultType: 'info' }))
}

/** The result line of an action that was done before its Helm could be ended. */
function tooLate(context: ActionContext): ResultLine[] {
  const message = `${abortOf(context)?.message}, but Helm had finished`
  return abortOf(context) ? [{ message, isSummary: false, resultType: 'info' }] : []
}

const lookAgainMs = 5000

const failing: Record<ActionKind, string> = {
  Assign: 'Assigning',
  Prepare: 'Preparing',
  Deploy: 'Deployment',
  Upgrade: 'Upgrade',
  Rollback: 'Rollback',
  Delete: 'Deletion',
  Repair: 'Repair',
  ChangeWorkload: 'Change of the workload',
  DeleteSpace: 'Deletion of the space',
  DeregisterCluster: 'Deregistration',
  LeaveCluster: 'Removal from the cluster',
}

function successText({ action, input }: ActionContext, helm: HelmEnd): string {
  const what = `${action.app_name} ${action.version ?? ''}`.trim()
  const revision = helm.revision === null ? '' : ` as revision ${helm.revision}`
  const target = input.kind === 'Rollback' ? ` to revision ${input.revision}` : ''
  const texts: Record<ActionKind, string> = {
    Assign: `${what} is assigned`,
    Prepare: `${what} is prepared`,
    Deploy: `${what} is deployed${revision}`,
    Upgrade: `${what} is deployed${revision}`,
    Rollback: `${what} is rolled back${target}${helm.revision === null ? '' : ` (now revision ${helm.revision})`}`,
    Delete: `${action.app_name} is deleted`,
    Repair: `${action.app_name} can be changed again`,
    ChangeWorkload: input.kind === 'ChangeWorkload' ? input.words : what,
    DeleteSpace: `${action.app_name} is deleted`,
    DeregisterCluster: `${action.app_name} is deregistered`,
    LeaveCluster: `${action.app_name} has left ${action.cluster_name}`,
  }
  return texts[action.kind]
}

interface Conclusion {
  state: 'Success' | 'Failed'
  summary: string
  lines: ResultLine[]
  /** The app as it was before the action, for one that has changed nothing. */
  before?: Left
  leftBehind?: LeftBehind | null
}

async function conclude(context: ActionContext, ended: Ended, conclusion: Conclusion): Promise<void> {
  const { deps, action, journal, secrets } = context
  const { state, summary, lines, before, leftBehind } = conclusion
  const { helm, iam } = ended
  const { result, events } = endingOf({
    kind: action.kind,
    state,
    summary: secrets.hide(summary),
    lines: lines.map((line) => ({ ...line, message: secrets.hide(line.message) })),
    ranHelm: helm.ran,
    timedOut: helm.timedOut,
  })
  const prepared: NewEvent[] =
    action.kind === 'Prepare' && state === 'Success' ? [{ event: 'Prepare', payload: {} }] : []
  const access = state === 'Success' ? await accessMade(context) : undefined
  const resourceRoles = state === 'Success' ? await rolesMade(context) : undefined
  const left = state === 'Failed' ? (before ?? (await leftState(context, result.summary))) : undefined
  const rest = await journal.takeRest()
  const ending: Ending = {
    state,
    change: {
      result: storedJson(result),
      revision: helm.revision,
      ...(leftBehind ? { left_behind: storedJson(leftBehind) } : {}),
      ...(iam ? { iam_result: storedJson(iam) } : {}),
    },
    events: [...rest, ...prepared, ...(state === 'Success' ? notesOf(context, helm) : []), ...events],
    also: async (trx) => {
      await changeApp(context, { state, left, resourceRoles, revision: helm.revision }, trx)
      if (context.input.kind === 'DeregisterCluster' && state === 'Success')
        await deps.clusters.forgetCluster(trx, context.input.clusterId)
      if (access && helm.revision !== null) await keepAccess(trx, action, helm.revision, access)
    },
  }
  const isFinal = await persistently(context, ending).catch((error: unknown) => {
    journal.giveBack(rest)
    throw error
  })
  if (!isFinal) throw new LeaseLostError('somebody else has ended it')
  await failpoint('F20')
  publishChanges(deps, action)
  if (!before && action.app_id && action.kind !== 'Prepare' && !(action.kind === 'Delete' && state === 'Success'))
    lookAgain(deps, action)
}

/** Reads the app's state again: it is correct at the end of the action, but a pod may crash right after. */
function lookAgain({ clusters, log }: ActionContext['deps'], { tenant_id, app_id }: ActionContext['action']): void {
  const look = () =>
    clusters
      .refreshApp(tenant_id, app_id ?? '')
      .catch((error: unknown) => log.warn({ err: error, appId: app_id }, 'an app was not read again'))
  setTimeout(look, lookAgainMs).unref()
}

/**
 * The notes of the chart, from the revision that was read back. They are written in the commit of the end, so that they
 * appear once, even if the Helm that printed them was killed.
 */
function notesOf({ action, secrets }: ActionContext, helm: HelmEnd): NewEvent[] {
  return action.kind === 'Deploy' || action.kind === 'Upgrade' ? notesEvents(helm.notes, secrets.redactUntrusted) : []
}

/** The outcome is known: as long as the lease holds, a database that is away for a moment must not lose it. */
async function persistently(context: ActionContext, ending: Ending): Promise<boolean> {
  let isUnsure = false
  for (;;) {
    try {
      // A commit whose answer was lost is found done, by this fence and so by this replica.
      return (await context.ledger.finish(ending)) || (isUnsure && (await context.ledger.hasEnded()))
    } catch (error) {
      if (!isDatabaseTrouble(error)) throw error
      isUnsure = true
      await pause(1000, context.signal)
    }
  }
}

const changesNoApp: ReadonlySet<ActionKind> = new Set([
  'Prepare',
  'Assign',
  'Repair',
  'ChangeWorkload',
  'DeleteSpace',
  'DeregisterCluster',
  'LeaveCluster',
])

/** The app's state after a failed action, as every page will show it; `unknown` if the cluster is unreachable. */
async function leftState({ deps, action }: ActionContext, said: string): Promise<Left> {
  const { kind, tenant_id: tenantId, app_id: appId } = action
  const failed: Left = { state: 'failed', stateMessage: said.slice(0, 1000) }
  if (!appId || changesNoApp.has(kind)) return failed
  try {
    const found = await deps.clusters.stateAfterFailure(tenantId, appId, said.slice(0, 1000))
    return found ? { state: found.state, stateMessage: found.message } : failed
  } catch (error) {
    if (!(error instanceof Failure && error.code.startsWith('cluster.'))) throw error
    return { ...failed, state: 'unknown' }
  }
}

type Left = Pick<Parameters<ActionContext['deps']['apps']['patchRecord']>[2], 'state' | 'stateMessage' | 'releaseName'>

interface Outcome extends Pick<Conclusion, 'state'> {
  left: Left | undefined
  resourceRoles: string[] | undefined
  revision: number | null
}

async function changeApp(
  context: ActionContext,
  { state, left, resourceRoles, revision }: Outcome,
  trx: UnitOfWork,
): Promise<void> {
  const { deps, action } = context
  const { kind, tenant_id: tenantId, app_id: appId } = action
  if (!appId || changesNoApp.has(kind)) return
  if (state === 'Failed') {
    await deps.apps.patchRecord(tenantId, appId, left ?? { state: 'unknown' }, trx)
    return
  }
  if (kind === 'Delete') {
    await forgetAccess(trx, appId)
    if (!(context.input.kind === 'Delete' && context.input.leftovers?.keepPins))
      await deps.sidebar.removePinsOfApp(tenantId, appId, trx)
    return deps.apps.remove(tenantId, appId, trx)
  }
  const version = { catalogVersionId: action.version_id ?? undefined, version: action.version ?? undefined }
  const patch = { ...version, resourceRoles, state: 'healthy', stateMessage: null, revision } as const
  await deps.apps.patchRecord(tenantId, appId, patch, trx)
}
