import type { HelmOutcome, HelmRun, TargetInput } from '../../../../adapters/helm/helm.ts'
import { areFailpointsOn, failpoint } from '../../../../platform/config/failpoints.ts'
import { Failure } from '../../../../platform/http/errors.ts'
import type { CommandInput } from '../../commands/command-input.ts'
import { watchWaiting } from '../../ledger/waiting-lines.ts'
import type { GivenRights } from '../../ports.ts'
import { releaseOfAction } from '../../releases/release-ref.ts'
import { actionLabel, type Found } from '../../releases/release-state.ts'
import { type ActionContext, abortOf, messageType } from '../action-context.ts'
import { createGiveUp } from '../waiting/give-up.ts'
import type { Findings, HelmEnd } from './findings.ts'
import { createHelmOutput } from './helm-output.ts'
import { watchRights } from './watch-rights.ts'

/** A start of Helm: the release as it was found, the revision it comes after, and the reach of this start. */
interface HelmPlan extends Pick<Findings, 'chartFile' | 'kubeconfig'> {
  found: Found['is']
  baseRevision: number
  given: GivenRights
  /** Called when Helm has rendered and written its release, or is to remove one: from then on it mostly waits. */
  onWaiting(): void
}

/** How Helm ended, and why it was stopped: its rights were taken back, or nothing could become ready any more. */
interface HelmRan extends HelmOutcome {
  withdrawn: string | undefined
  gaveUp: string | undefined
  /** Why something was not ready at the end, as far as the cluster has said it. */
  blocked: string | null
}

/** One run of Helm, with what it writes and what it waits for in the log. */
export async function runHelm(
  context: ActionContext,
  plan: HelmPlan,
  onOpen: (objects: HelmEnd['open']) => void,
): Promise<HelmRan> {
  const { input, secrets, journal } = context
  announce(context, plan)
  // A row before Helm writes anything, so that a portal that is killed leaves no revision of which the log knows nothing.
  await journal.settle()
  // The release to roll back to or to delete has been read; a new one's secrets are learnt while Helm runs.
  const isKnown = input.kind !== 'Deploy' && input.kind !== 'Upgrade'
  const givingUp = new AbortController()
  const began = performance.now()
  let gaveUp: string | undefined
  const giveUp = createGiveUp(({ because }) => {
    if (!givesUp(input)) return
    const seconds = Math.round((performance.now() - began) / 1000)
    gaveUp = `${because}. Given up after ${seconds} s, because nothing becomes ready of it by itself`
    journal.say('helm', gaveUp, 'error')
    givingUp.abort()
  })
  const waiting = watchWaiting(context, {
    onOpen,
    onHopeless: giveUp.look,
    onRead() {
      const isWritten = secrets.newest() > plan.baseRevision
      if (isWritten) output.release()
      if (isWritten || input.kind === 'Delete') plan.onWaiting()
    },
  })
  const output = createHelmOutput(journal, secrets.redactUntrusted, {
    isKnown,
    hooksPrint: secrets.hooksPrint,
    onResult: () => void waiting.stop(),
  })
  const started = Promise.withResolvers<void>()
  const ending = new AbortController()
  const abort = () => ending.abort()
  context.signal.addEventListener('abort', abort, { once: true })
  if (context.signal.aborted) abort()
  const rights = plan.given.kubeconfig === undefined ? undefined : watchRights(context, abort)
  const onAborting = () => journal.say('helm', `${abortOf(context)?.message}: Helm is asked to end`)
  context.aborting.addEventListener('abort', onAborting, { once: true })
  const onLine = (line: string, from: 'stdout' | 'stderr') => output.line(line, from)
  const helm = start(context, plan, {
    ...{
      signal: ending.signal,
      terminate: AbortSignal.any([context.aborting, givingUp.signal]),
      onStart: started.resolve,
      onLine,
    },
  })
  try {
    const outcome = await (areFailpointsOn() ? Promise.race([helm, cutOnTheWay(started.promise, helm)]) : helm)
    return { ...outcome, withdrawn: await rights?.end(), gaveUp, blocked: giveUp.reason() }
  } finally {
    rights?.stop()
    giveUp.stop()
    // Ends Helm after any error: nothing is decided about a release while Helm still writes to it.
    context.signal.removeEventListener('abort', abort)
    context.aborting.removeEventListener('abort', onAborting)
    abort()
    await helm.catch(() => undefined)
    await waiting.stop()
    await tellHeld(context)
    output.end()
  }
}

/** By choice, on unless somebody has switched it off. */
function givesUp(input: CommandInput): boolean {
  return 'giveUpEarly' in input ? input.giveUpEarly !== false : input.kind !== 'Delete'
}

const mostReadMs = 5000

/**
 * Lines that still wait, as they do when Helm was quick to refuse something: for them alone the release is read once
 * more. When it cannot be, they wait for the look at the cluster that follows.
 */
async function tellHeld({ deps, action, secrets, journal }: ActionContext): Promise<void> {
  if (!journal.isHolding()) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), mostReadMs)
  })
  try {
    const reading = deps.clusters.readRelease(releaseOfAction(action))
    reading.catch(() => undefined)
    const revisions = await Promise.race([reading, late])
    if (!revisions) return
    if (revisions[0]) await secrets.learnRelease(revisions[0])
    journal.release()
  } catch (error) {
    if (!(error instanceof Failure && error.code.startsWith('cluster.'))) throw error
    deps.log.debug({ err: error, actionId: action.id }, 'what Helm said waits for the cluster')
  } finally {
    clearTimeout(timer)
  }
}

/**
 * F14 once Helm runs; F15 to F18 whenever they are armed while it does, for a test that holds Helm at one of its calls.
 */
async function cutOnTheWay(started: Promise<void>, helm: Promise<HelmOutcome>): Promise<HelmOutcome> {
  let isOver = false
  const over = helm.finally(() => {
    isOver = true
  })
  await Promise.race([started, over])
  await failpoint('F14')
  while (!isOver) {
    for (const name of ['F15', 'F16', 'F17', 'F18']) await failpoint(name)
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 20))])
  }
  return helm
}

/** Names a start of Helm in the log, before it happens. */
function announce({ action, input, journal }: ActionContext, { found, given }: HelmPlan): void {
  const type = messageType(action.kind)
  const { release_name: name, app_id: appId } = action
  if (input.kind === 'Rollback') journal.say(type, `Rolling back ${appId} to revision ${input.revision} ...`)
  else if (input.kind === 'Delete') {
    journal.say(type, `Deleting release ${name}`)
    if (given.withoutHooks !== undefined) journal.say(type, `Hooks are left out: ${given.withoutHooks}`)
  } else journal.say(type, isAbsent(found) ? `Installing release ${name}` : `Upgrading release ${name}`)
}

const isAbsent = (found: Found['is']) => found === 'absent' || found === 'uninstalled'

function start(context: ActionContext, plan: HelmPlan, helmRun: HelmRun): Promise<HelmOutcome> {
  const { deps, action, input } = context
  const { found, given, chartFile = '' } = plan
  const target: TargetInput = {
    kubeconfig: given.kubeconfig ?? plan.kubeconfig ?? '',
    clusterId: action.cluster_id ?? '',
    releaseName: action.release_name ?? '',
    namespace: action.namespace ?? '',
    timeoutSeconds: deps.config.deployTimeoutSeconds,
  }
  if (input.kind === 'Rollback') return deps.helm.rollback({ ...target, revision: input.revision }, helmRun)
  if (input.kind === 'Delete')
    return deps.helm.uninstall({ ...target, withoutHooks: given.withoutHooks !== undefined }, helmRun)
  const values = input.kind === 'Deploy' || input.kind === 'Upgrade' ? input.yaml : ''
  const labels = { [actionLabel]: action.id, portalFence: action.fence }
  const writing = { ...target, chartFile, values, labels, comparing: given.comparing }
  // A failed or interrupted first installation is upgraded, not installed over.
  if (isAbsent(found)) return deps.helm.install({ ...writing, replace: found === 'uninstalled' }, helmRun)
  return deps.helm.upgrade(writing, helmRun)
}
