import type { ActionKind } from '@quayside/contract/deployments/endpoints'
import type { ReleaseLock, ReleaseRevision } from '../ports.ts'

/** Kinds of action that run Helm. */
export type HelmKind = Exclude<ActionKind, 'Assign' | 'Prepare'>

export const actionLabel = 'portalAction'

/** The state of a release in the cluster, as far as a decision needs it. */
export type Found =
  | { is: 'unreachable' }
  | { is: 'absent' }
  /** Somebody has uninstalled it and had Helm keep its history, which holds the name. */
  | { is: 'uninstalled' }
  /** Nobody can read the newest revision, Helm neither, which makes a new one under the same number. */
  | { is: 'unreadable'; revision: number }
  | { is: 'deployed'; ours: boolean; revision: number }
  | { is: 'two-deployed'; older: number }
  /** `cut`: its description is not that of an end, so somebody stopped Helm on the way. */
  | { is: 'failed'; ours: boolean; revision: number; description: string; cut: boolean }
  /** `held`: somebody outside seems to be at work on it, and this is what there is to say of that. */
  | { is: 'pending'; ours: boolean; revision: number; status: string; elsewhere: boolean; held?: string }
  | { is: 'uninstalling'; revision: number; held?: string }

export interface Question {
  kind: HelmKind
  actionId: string
  /** Only for a rollback: the revision to go back to. Helm copies its labels, so labels cannot tell them apart. */
  target: number | null
  /** The newest revision before Helm first ran. */
  baseRevision: number | null
}

/** Reads the revisions of a release, newest first. */
export function classify(
  revisions: readonly ReleaseRevision[],
  question: Question,
  { lock, unreadable = [] }: { lock?: ReleaseLock | undefined; unreadable?: readonly number[] } = {},
): Found {
  const newest = revisions[0]
  const damaged = Math.max(0, ...unreadable)
  // A deletion takes along what can be read, and then the Secrets of what cannot.
  if (damaged > (newest?.revision ?? 0) && question.kind !== 'Delete') return { is: 'unreadable', revision: damaged }
  if (!newest) return { is: 'absent' }
  if (newest.status === 'uninstalled') return { is: 'uninstalled' }
  const deployed = revisions.filter((each) => each.status === 'deployed')
  if (deployed.length > 1) return { is: 'two-deployed', older: Math.min(...deployed.map((each) => each.revision)) }
  const { revision, status, description } = newest
  const ours = isOurs(newest, question)
  if (status === 'deployed') return { is: 'deployed', ours, revision }
  // Read a moment later, it may be of another revision already: then that one is asked about next.
  const held = lock && !lock.isDead && lock.revision === revision ? { held: lock.says } : {}
  if (status === 'uninstalling') return { is: 'uninstalling', revision, ...held }
  if (status.startsWith('pending')) {
    const elsewhere = !ours && makerOf(newest, revisions) === undefined
    return { is: 'pending', ours, revision, status, elsewhere, ...held }
  }
  return { is: 'failed', ours, revision, description, cut: unfinished.test(description) }
}

/**
 * The action that made a revision. Helm hands labels on from revision to revision, so a Helm of somebody else leaves
 * them too: an action makes no other revision after one that was deployed.
 */
export function makerOf(
  { revision, labels }: Pick<ReleaseRevision, 'revision' | 'labels'>,
  revisions: readonly Pick<ReleaseRevision, 'revision' | 'labels' | 'status'>[],
): string | undefined {
  const label = labels[actionLabel]
  const isInherited = revisions.some(
    (each) => each.revision < revision && each.status !== 'failed' && each.labels[actionLabel] === label,
  )
  return isInherited ? undefined : label
}

/** Descriptions that Helm writes while it works and when it is stopped; an unlocked revision keeps the first kind. */
const unfinished = /underway|^Preparing |^Rollback to |cancell?ed|interrupt|SIGTERM/i

function isOurs(newest: ReleaseRevision, { kind, actionId, target, baseRevision }: Question): boolean {
  if (kind !== 'Rollback') return newest.labels[actionLabel] === actionId
  const isNew = baseRevision !== null && newest.revision > baseRevision
  return isNew && (newest.description === `Rollback to ${target}` || newest.status === 'failed')
}
