import type { AppState } from '@quayside/contract/apps/endpoints'
import { unfinishedStatuses } from '../../../adapters/helm/release.ts'
import type { AppPlace } from '../ports.ts'
import { cleanText } from '../workloads/foreign-text.ts'
import { isWatchedKind, type WatchedKind } from '../workloads/namespace-view.ts'
import type { Part } from './app-parts.ts'
import type { ReleaseLock } from './release-lock.ts'
import type { NewestRelease } from './releases.ts'
import { type WorkloadState, worstOf } from './state-of.ts'

export interface StateOfApp {
  state: WorkloadState
  message: string | null
}

/** How the release of an app stands, whoever brought it there. */
export type Standing =
  | 'never there'
  | 'missing'
  | 'uninstalled'
  | 'not deployed'
  | 'unreadable'
  | 'first installation failed'
  | 'newest revision failed'
  | 'action at work'
  | 'held outside'
  | 'held by nobody'
  | 'deployed twice'
  | 'deployed'

/**
 * The one table of what an app's state is called: `failed` has nothing to run on, `degraded` has and is not as it should
 * be, `progressing` is expected to become something else by itself. The end of an action, the watch of an open page, the
 * slow pass and a takeover all come here. Where the objects have a say, the worse word counts.
 */
export const words: Readonly<Record<Standing, { state: WorkloadState; orWorse: boolean }>> = {
  'never there': { state: 'failed', orWorse: false },
  missing: { state: 'failed', orWorse: false },
  uninstalled: { state: 'failed', orWorse: false },
  'not deployed': { state: 'degraded', orWorse: true },
  unreadable: { state: 'degraded', orWorse: false },
  'first installation failed': { state: 'failed', orWorse: false },
  'newest revision failed': { state: 'degraded', orWorse: true },
  'action at work': { state: 'progressing', orWorse: false },
  'held outside': { state: 'progressing', orWorse: false },
  'held by nobody': { state: 'degraded', orWorse: true },
  'deployed twice': { state: 'degraded', orWorse: true },
  deployed: { state: 'healthy', orWorse: true },
}

export type Content = Pick<NewestRelease, 'release' | 'history'>
type Known = Pick<AppPlace, 'revision' | 'state' | 'stateMessage'>

export interface Seen {
  content: Content | undefined
  parts: readonly Part[]
  lock: ReleaseLock | undefined
  app: Known
}

/**
 * How an app is: as its release stands, and then as the worst of the release's own objects. What hooks made and what
 * objects made themselves speaks through these.
 */
export function stateOfApp(seen: Seen): StateOfApp {
  const { standing, says } = standingOf(seen)
  const { parts } = seen
  const { state: least, orWorse } = words[standing]
  if (!orWorse) return { state: least, message: says }
  const own = parts.filter(({ parent, hook }) => parent === null && !hook)
  const worst = worstOf(own.map((part) => part.state.state))
  const state = worstOf([least, worst])
  if (says !== null) return { state, message: says }
  const culprit = state === 'healthy' ? undefined : own.find((part) => part.state.state === state)
  if (!culprit) return { state, message: null }
  return {
    state,
    message: cleanText(`${culprit.kind} ${culprit.name}: ${culprit.state.message ?? culprit.state.detail}`, 500),
  }
}

/** State of an app whose newest revision is unreadable, for Helm too: the release's objects are then unknown. */
export function stateOfUnreadable(said: string): StateOfApp {
  const message = `The newest revision of the release cannot be read: ${cleanText(said, 300)}. Repair moves it aside, so that the one before counts; then upgrade the app`
  return { state: words.unreadable.state, message }
}

function standingOf({ content, lock, app }: Seen): { standing: Standing; says: string | null } {
  if (!content) return whyMissing(app)
  // Helm can be told to keep the history of what it has uninstalled.
  if (content.release.status === 'uninstalled') return { standing: 'uninstalled', says: ofDeletion(app) ?? uninstalled }
  const { release, history } = content
  const { revision, status } = release
  if (lock) return { standing: lock.isDead ? 'held by nobody' : 'held outside', says: lock.says }
  if (unfinishedStatuses.has(status)) return { standing: 'action at work', says: 'Helm is running' }
  if (status === 'failed') {
    const said = cleanText(release.description, 500) || 'The release failed'
    const isFirst = !history.some((each) => each.revision < revision && wasDeployed.has(each.status))
    return isFirst
      ? { standing: 'first installation failed', says: said }
      : { standing: 'newest revision failed', says: `Revision ${revision} failed: ${said}` }
  }
  if (status !== 'deployed') return { standing: 'not deployed', says: notDeployed(revision, cleanText(status, 40)) }
  const older = deployedBeside(history)
  if (older.length === 0) return { standing: 'deployed', says: null }
  const also = older.length === 1 ? `Revision ${older[0]} counts` : `Revisions ${older.join(', ')} count`
  return {
    standing: 'deployed twice',
    says: `${also} as deployed beside a newer one. Repair the release, then upgrade the app: what runs may be of either`,
  }
}

const wasDeployed: ReadonlySet<string> = new Set(['deployed', 'superseded'])

/** Revisions that count as deployed although a newer one does: one Helm wrote its end after another had. */
export function deployedBeside(history: Content['history']): number[] {
  const deployed = history.filter(({ status }) => status === 'deployed').map(({ revision }) => revision)
  const newest = Math.max(...deployed)
  return deployed.filter((revision) => revision !== newest).sort((a, b) => a - b)
}

/** Kinds to read for the state: the release's own, and ReplicaSets and Pods, which say why one of them is stuck. */
export function kindsOfState(objects: readonly { kind: string }[]): WatchedKind[] {
  const own = objects.map(({ kind }) => kind).filter(isWatchedKind)
  return [...new Set<WatchedKind>([...own, 'ReplicaSet', 'Pod'])]
}

const lost =
  'The release is missing in the cluster: somebody has deleted it or its Secrets. What still runs of it is not touched by that, but nobody can upgrade it or roll it back. Delete the app, which takes along what still runs of it, and deploy it again.'
const uninstalled =
  'Somebody has uninstalled the release with Helm and kept its history: nothing of it is left but that. Upgrade the app, which installs it again, or delete it, which removes the history, too.'
const notDeployed = (revision: number, status: string) =>
  `No revision of the release counts as deployed: the newest that is left, ${revision}, is ${status}. Its Secrets were changed behind Helm. Upgrade the app, then a revision counts again; until then what runs may be of another one`
const neverThere =
  'The installation left no release in the cluster. Try it again from the list of actions, or delete the app.'

/** Tells a release that was deployed and is gone from one that never existed, of which the failed action says why. */
function whyMissing({ revision, state, stateMessage }: Known): { standing: Standing; says: string } {
  const said = state === 'failed' || state === 'unknown' ? stateMessage : null
  if (revision === null) return { standing: 'never there', says: said ?? neverThere }
  return { standing: 'missing', says: ofDeletion({ state, stateMessage }) ?? lost }
}

/** The message of a failed deletion, which is kept until the next one. */
function ofDeletion({ state, stateMessage }: Pick<Known, 'state' | 'stateMessage'>): string | null {
  const said = state === 'failed' || state === 'unknown' ? stateMessage : null
  return said?.startsWith('Deletion failed') ? said : null
}

const busy: ReadonlySet<AppState> = new Set(['assigned', 'deploying', 'deleting'])

/** While an action runs on an app, the action says how it is. */
export function mayOverwrite(state: AppState): boolean {
  return !busy.has(state)
}
