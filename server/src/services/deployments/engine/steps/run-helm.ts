import type { HelmOutcome, HelmRun, TargetInput } from '../../../../adapters/helm/helm.ts'
import { areFailpointsOn, failpoint } from '../../../../platform/config/failpoints.ts'
import { Failure } from '../../../../platform/http/errors.ts'
import { watchWaiting } from '../../ledger/waiting-lines.ts'
import type { GivenRights } from '../../ports.ts'
import { releaseOfAction } from '../../releases/release-ref.ts'
import { actionLabel, type Found } from '../../releases/release-state.ts'
import { type ActionContext, abortOf, messageType } from '../action-context.ts'
import type { Findings, HelmEnd } from './findings.ts'
import { createHelmOutput } from './helm-output.ts'
import { watchRights } from './watch-rights.ts'

/** A start of Helm: the release as it was found, the revision it comes after, and the reach of this start. */
interface HelmPlan extends Pick<Findings, 'chartFile' | 'kubeconfig'> {
  found: Found['is']
  baseRevision: number
  given: GivenRights
}

/** How Helm ended, and why it was stopped where its rights were taken back. */
type HelmRan = HelmOutcome & { withdrawn: string | undefined }

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
  const waiting = watchWaiting(context, {
    onOpen,
    onRead() {
      if (secrets.newest() > plan.baseRevision) output.release()
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
    ...{ signal: ending.signal, terminate: context.aborting, onStart: started.resolve, onLine },
  })
  try {
    const outcome = await (areFailpointsOn() ? Promise.race([helm, cutOnTheWay(started.promise, helm)]) : helm)
    return { ...outcome, withdrawn: await rights?.end() }
  } finally {
    rights?.stop()
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
