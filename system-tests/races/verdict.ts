import { isMadeBy, type Revision } from '../fault-matrix/releases.ts'
import type { Racer } from './cases.ts'

/** The answer to one of two racing commands, and how its action ended if it was accepted. */
export interface Reported {
  kind: Racer
  user: string
  status: number
  code: string
  field?: string
  details?: { kind?: string; startedBy?: string }
  action?: Ended
}

export interface Ended {
  id: string
  state: string
  from: number
  to: number
  finals: number
}

/** A line for each thing that is not as it must be after two commands met. */
export function brokenBy(told: [Reported, Reported], revisions: Revision[], mostHelm: number): string[] {
  const [one, other] = told
  return [
    ...untruth(one, other),
    ...untruth(other, one),
    ...brokenActions(told),
    ...brokenRelease(told, revisions),
    ...(mostHelm > 1 ? [`${mostHelm} Helm wrote the release at once`] : []),
  ]
}

/** Each refusal, and when it is the truth: the other user made it so. */
const refusals: Record<string, (refused: Reported, other: Reported) => boolean> = {
  '409 deployment.already-running': ({ details }, other) =>
    other.status === 202 && details?.kind === other.kind && details.startedBy === other.user,
  '409 deployment.not-deployed': (refused, other) => refused.kind !== 'Deploy' && other.kind === 'Deploy',
  '409 deployment.release-name-taken': (refused) => refused.kind === 'Deploy',
  '404 deployment.revision-not-found': (refused, other) =>
    refused.kind === 'Rollback' && ['Deploy', 'Delete'].includes(other.kind),
  '404 app.not-found': (_, other) => other.kind === 'Delete' && other.action?.state === 'Success',
  // The installation has just made the revision that is asked for.
  '400 request.invalid': (refused, other) =>
    refused.kind === 'Rollback' && refused.field === 'revision' && other.kind === 'Deploy',
}

function untruth(told: Reported, other: Reported): string[] {
  if (told.status === 202) return told.action ? [] : [`${told.kind} was accepted and is not in the ledger`]
  const isTrue = refusals[`${told.status} ${told.code}`]?.(told, other) ?? false
  return isTrue
    ? []
    : [`${told.kind} beside ${other.kind}: ${told.status} ${told.code} ${JSON.stringify(told.details ?? null)}`]
}

function brokenActions([one, other]: [Reported, Reported]): string[] {
  const broken: string[] = []
  for (const { action, kind } of [one, other]) {
    if (!action) continue
    if (action.finals !== 1) broken.push(`${kind} told its end ${action.finals} times`)
    if (action.state !== 'Success') broken.push(`${kind} ended as ${action.state} though nothing was broken`)
  }
  const [a, b] = [one.action, other.action]
  if (!a && !b) broken.push('neither was accepted')
  if (a && b && a.from < b.to && b.from < a.to) broken.push(`${one.kind} and ${other.kind} ran at the same time`)
  return broken
}

/** The command that ended last decides what must be there. */
function brokenRelease(told: [Reported, Reported], revisions: Revision[]): string[] {
  const broken = revisions
    .filter(({ status }) => /pending|uninstalling/.test(status))
    .map(({ revision, status }) => `revision ${revision} is stuck in ${status}`)
  const deployed = revisions.filter(({ status }) => status === 'deployed').length
  if (deployed > 1) broken.push(`${deployed} revisions are deployed`)
  const last = told
    .filter(({ action }) => action?.state === 'Success')
    .sort(byEnd)
    .at(-1)
  if (!last?.action) return broken
  const newest = [...revisions].sort((a, b) => b.revision - a.revision)[0]
  const { kind, action } = last
  const isByIt = newest?.status === 'deployed' && isMadeBy({ id: action.id, kind, since: action.from }, newest)
  if (kind === 'Delete' ? newest !== undefined : !isByIt)
    broken.push(`${kind} is a Success, and the newest revision is ${newest?.revision} ${newest?.status}`)
  return broken
}

function byEnd(a: Reported, b: Reported): number {
  return (a.action?.to ?? 0) - (b.action?.to ?? 0)
}
