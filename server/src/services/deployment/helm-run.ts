import type { MessageLevel } from '@quayside/contract/deployment'
import type { HelmOutcome, HelmRun, TargetInput } from '../../adapters/helm/helm.ts'
import { areFailpointsOn, failpoint } from '../../kernel/failpoints.ts'
import { writeAndNote } from './lease-store.ts'
import { progressLine } from './progress.ts'
import { actionLabel } from './release-state.ts'
import { messageType, type Run } from './run.ts'

const leastBetweenMs = 1000

/** One run of Helm, with what it writes and what it waits for in the log. */
export async function runHelm(run: Run, isAbsent: boolean): Promise<HelmOutcome> {
  const stopWatching = watch(run)
  const started = Promise.withResolvers<void>()
  const ending = new AbortController()
  const abort = () => ending.abort()
  run.signal.addEventListener('abort', abort, { once: true })
  if (run.signal.aborted) abort()
  const helm = start(run, isAbsent, { signal: ending.signal, onStart: started.resolve })
  try {
    return await (areFailpointsOn() ? Promise.race([helm, cutOnTheWay(started.promise, helm)]) : helm)
  } finally {
    // Whatever went wrong here: nobody decides anything while Helm still writes.
    run.signal.removeEventListener('abort', abort)
    abort()
    await helm.catch(() => undefined)
    stopWatching()
  }
}

/** F14 once Helm runs; F15 to F18 whenever they are armed while it does, for a test that holds Helm at one of its calls. */
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

function start(run: Run, isAbsent: boolean, held: Pick<HelmRun, 'signal' | 'onStart'>): Promise<HelmOutcome> {
  const { deps, action, input, journal } = run
  const target: TargetInput = {
    kubeconfig: run.kubeconfig ?? '',
    clusterId: action.cluster_id ?? '',
    releaseName: action.release_name ?? '',
    namespace: action.namespace ?? '',
    timeoutSeconds: deps.config.deployTimeoutSeconds,
  }
  const helmRun: HelmRun = {
    ...held,
    onLine: (line: string) => {
      if (line.trim() !== '') journal.say('helm', line, levelOf(line))
    },
  }
  if (input.kind === 'Rollback') {
    const { appId, revision } = { appId: action.app_id, revision: input.revision }
    journal.say('rollback', `Rolling back ${appId} to revision ${revision} ...`)
    return deps.helm.rollback({ ...target, revision }, helmRun)
  }
  if (input.kind === 'Delete') {
    journal.say('delete', `Deleting release ${action.release_name}`)
    return deps.helm.uninstall(target, helmRun)
  }
  const values = input.kind === 'Deploy' || input.kind === 'Upgrade' ? input.yaml : ''
  const labels = { [actionLabel]: action.id, portalFence: action.fence }
  const writing = { ...target, chartFile: run.chartFile ?? '', values, labels }
  journal.say(
    messageType(action.kind),
    isAbsent ? `Installing release ${action.release_name}` : `Upgrading release ${action.release_name}`,
  )
  // What a failed or interrupted installation left is gone on with, not installed over.
  return isAbsent ? deps.helm.install(writing, helmRun) : deps.helm.upgrade(writing, helmRun)
}

function levelOf(line: string): MessageLevel {
  // A warning of Helm says what its error says again.
  if (/level=WARN/.test(line)) return 'debug'
  if (/^Error:|level=ERROR|^E\d{4} |deadline exceeded|timed out/i.test(line)) return 'error'
  return /level=(DEBUG|INFO)|^[IW]\d{4} |^(NAME|LAST DEPLOYED|NAMESPACE|STATUS|REVISION|DESCRIPTION|TEST SUITE):/i.test(
    line,
  )
    ? 'debug'
    : 'info'
}

/** Puts what is waited for into the log, and for those who watch now into the action's row; at most once a second. */
function watch(run: Run): () => void {
  const { deps, action, journal } = run
  type State = Parameters<Parameters<typeof deps.clusters.watchRelease>[4]>[0]
  let told: State | null = null
  let newest: State | null = null
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const tell = () => {
    timer = undefined
    if (stopped || !newest) return
    const state = newest
    const line = progressLine(told, state)
    told = state
    if (line) journal.say(messageType(action.kind), line.message, line.level)
    const objects = state.objects.map((each) => ({
      ...each,
      detail: run.hide(each.detail),
      lastEvent: each.lastEvent && run.hide(each.lastEvent),
    }))
    run.open = objects.filter((each) => !each.ready)
    writeAndNote(deps.db, action, { waiting: JSON.stringify({ ...state, objects }) }).catch((error: unknown) =>
      deps.log.debug({ err: error }, 'what is waited for could not be noted'),
    )
  }
  const watching = deps.clusters.watchRelease(
    action.tenant_id,
    action.cluster_id ?? '',
    action.namespace ?? '',
    action.release_name ?? '',
    (state) => {
      newest = state
      timer ??= setTimeout(tell, told ? leastBetweenMs : 0)
    },
  )
  return () => {
    if (timer) {
      clearTimeout(timer)
      tell()
    }
    stopped = true
    watching.stop()
  }
}
