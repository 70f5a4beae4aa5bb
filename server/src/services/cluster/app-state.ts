import type { AppState } from '@quayside/contract/portal-api'
import type { Part } from './app-parts.ts'
import { cleanText } from './foreign-text.ts'
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
): StateOfApp {
  if (!release) return { state: 'failed', message: 'The release is missing in the cluster' }
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

const busy: ReadonlySet<AppState> = new Set(['assigned', 'deploying', 'deleting'])

/** While an action runs on an app, the action says how it is. */
export function mayOverwrite(state: AppState): boolean {
  return !busy.has(state)
}
