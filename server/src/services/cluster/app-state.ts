import type { AppState } from '@quayside/contract/portal-api'
import type { Part } from './app-parts.ts'
import { cleanText } from './foreign-text.ts'
import { isWatchedKind, type WatchedKind } from './namespace-view.ts'
import type { AppPlace } from './ports.ts'
import { type WorkloadState, worstOf } from './state-of.ts'

export interface StateOfApp {
  state: WorkloadState
  message: string | null
}

/**
 * How an app is: as its release ended, and then as the worst of the release's own objects. What hooks made and what
 * objects made themselves speaks through these.
 */
export function stateOfApp(
  release: { status: string; description: string } | undefined,
  parts: readonly Part[],
  app: Pick<AppPlace, 'revision' | 'state' | 'stateMessage'>,
): StateOfApp {
  if (!release) return { state: 'failed', message: whyMissing(app) }
  if (release.status === 'failed')
    return { state: 'failed', message: cleanText(release.description, 500) || 'The release failed' }
  if (release.status === 'uninstalling') return { state: 'progressing', message: 'The release is being deleted' }
  if (release.status.startsWith('pending')) return { state: 'progressing', message: 'Helm is at work' }
  const own = parts.filter(({ parent, hook }) => parent === null && !hook)
  const state = worstOf(own.map((part) => part.state.state))
  const culprit = state === 'healthy' ? undefined : own.find((part) => part.state.state === state)
  if (!culprit) return { state, message: null }
  return {
    state,
    message: cleanText(`${culprit.kind} ${culprit.name}: ${culprit.state.message ?? culprit.state.detail}`, 500),
  }
}

/** What has to be read for it: the release's own kinds, and the pods that say why one of these is stuck. */
export function kindsOfState(objects: readonly { kind: string }[]): WatchedKind[] {
  const own = objects.map(({ kind }) => kind).filter(isWatchedKind)
  return [...new Set<WatchedKind>([...own, 'ReplicaSet', 'Pod'])]
}

const lost =
  'The release is missing in the cluster: somebody has deleted it or its Secrets. What still runs of it is not touched by that, but nobody can upgrade it or roll it back. Delete the app, which takes along what still runs of it, and deploy it again.'
const neverThere =
  'The installation left no release in the cluster. Try it again from the list of actions, or delete the app.'

/** What was deployed and is gone is another thing than what never came to be: of that, the action said why. */
function whyMissing({ revision, state, stateMessage }: Pick<AppPlace, 'revision' | 'state' | 'stateMessage'>): string {
  if (revision !== null) return lost
  return (state === 'failed' ? stateMessage : null) ?? neverThere
}

const busy: ReadonlySet<AppState> = new Set(['assigned', 'deploying', 'deleting'])

/** While an action runs on an app, the action says how it is. */
export function mayOverwrite(state: AppState): boolean {
  return !busy.has(state)
}
