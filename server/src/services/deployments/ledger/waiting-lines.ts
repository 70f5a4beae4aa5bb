import type { Waiting } from '@quayside/contract/live/live'
import { type ActionContext, messageType } from '../engine/action-context.ts'
import { progressLine } from '../engine/waiting/progress.ts'
import type { Hopeless } from '../ports.ts'
import { releaseOfAction } from '../releases/release-ref.ts'

const leastBetweenMs = 1000

interface Watcher {
  onOpen(objects: Waiting['objects']): void
  onRead(): void
  onHopeless(found: readonly Hopeless[]): void
}

/**
 * Puts what Helm waits for into the log, and for those who watch now into the action's row; at most once a second.
 * Once it is stopped, nothing is said any more: what Helm was waiting for is over then.
 */
export function watchWaiting(
  context: ActionContext,
  { onOpen, onRead, onHopeless }: Watcher,
): { stop(): Promise<void> } {
  const { deps, action, journal, ledger, secrets } = context
  const isRemoval = action.kind === 'Delete'
  type State = Parameters<Parameters<typeof deps.clusters.watchRelease>[1]>[0]
  let told: State | null = null
  let newest: State | null = null
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let noting: Promise<unknown> = Promise.resolve()

  /** Hides secrets in the details, too, because they may repeat text of the chart. */
  const shown = (state: State): State => ({
    ...state,
    objects: state.objects.map((each) => ({
      ...each,
      detail: secrets.redactUntrusted(each.detail),
      lastEvent: each.lastEvent && secrets.redactUntrusted(each.lastEvent),
    })),
  })
  const tell = () => {
    timer = undefined
    if (stopped || !newest) return
    const state = shown(newest)
    const line = progressLine(told, state, isRemoval)
    told = state
    if (line) journal.say(messageType(action.kind), line.message, line.level)
    noting = ledger
      .showWaiting(state)
      .catch((error: unknown) => deps.log.debug({ err: error }, 'what is waited for could not be noted'))
  }
  const watching = deps.clusters.watchRelease(
    releaseOfAction(action),
    (state) => {
      newest = state
      onOpen(shown(state).objects.filter((each) => !each.ready))
      if (!stopped) timer ??= setTimeout(tell, told ? leastBetweenMs : 0)
    },
    {
      isRemoval,
      async onRelease(release) {
        await secrets.learnRelease(release)
        onRead()
      },
      onHopeless(found) {
        if (!stopped) onHopeless(found.map((each) => ({ ...each, because: secrets.redactUntrusted(each.because) })))
      },
    },
  )
  return {
    async stop() {
      if (!stopped) watching.stop()
      stopped = true
      clearTimeout(timer)
      await noting
    },
  }
}
