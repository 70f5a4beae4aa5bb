import { unfinishedStatuses } from '../../../adapters/helm/release.ts'
import { cleanText } from '../workloads/foreign-text.ts'
import { lastMoved } from '../workloads/moments.ts'
import type { Part } from './app-parts.ts'

/**
 * A release that a Helm holds which this portal did not start. Whether that one still lives can only be guessed, from
 * what moves: its revision, and the objects of the release.
 */
export interface ReleaseLock {
  revision: number
  status: string
  /** Since when the revision has had this status, and when anything last moved, by the cluster's clock. */
  since: string
  movedAt: string
  /** Nothing has moved for so long that nobody seems to be at work any more. */
  isDead: boolean
  /** The whole of it in words that stay true until something moves. */
  says: string
}

/** Nothing when no Helm holds it. `now` is by the cluster's clock, as all moments are that are compared with it. */
export function lockOf(
  held: { revision: number; status: string; changedAt: number } | undefined,
  parts: readonly Part[],
  { now, deadAfterSeconds }: { now: number; deadAfterSeconds: number },
): ReleaseLock | undefined {
  if (!held || !unfinishedStatuses.has(held.status)) return undefined
  const { revision, status, changedAt } = held
  const movedAt = Math.max(changedAt, lastMoved(parts))
  const isDead = now - movedAt >= deadAfterSeconds * 1000
  const lock = {
    revision,
    status: cleanText(status, 40),
    since: new Date(changedAt).toISOString(),
    movedAt: new Date(movedAt).toISOString(),
    isDead,
  }
  return { ...lock, says: status === 'uninstalling' ? saysOfDeletion(lock, parts) : saysOf(lock) }
}

type Facts = Omit<ReleaseLock, 'says'>

function saysOf({ revision, status, since, movedAt, isDead }: Facts): string {
  const it = `revision ${revision} is ${status} since ${minute(since)}`
  return isDead
    ? `The release is locked by a Helm that seems to be gone: ${it}, and nothing has moved since ${minute(movedAt)}. Repair frees the release`
    : `Somebody outside this portal is probably working on the release with Helm: ${it}. Wait until they have finished. If nobody is, repair the release`
}

function saysOfDeletion({ revision, status, since, movedAt, isDead }: Facts, parts: readonly Part[]): string {
  const own = parts.filter(({ parent, hook }) => parent === null && !hook)
  const there = own.filter(({ object }) => object !== undefined).length
  const it = `revision ${revision} is ${status} since ${minute(since)}, ${there} of ${own.length} objects are still there`
  return isDead
    ? `Helm seems to have been stopped while it deleted the release: ${it}, and nothing has moved since ${minute(movedAt)}. Delete the app to end the deletion, or repair the release to keep it`
    : `Somebody outside this portal is probably deleting the release with Helm: ${it}. Wait until they have finished. If nobody is, repair the release`
}

const minute = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`
