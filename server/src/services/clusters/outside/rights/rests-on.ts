import {
  type AskedApproval,
  type Court,
  type Decidable,
  isUsable,
  nameOf,
  verdictOf,
} from '../judging/decide-outside.ts'
import { keyOf } from '../outside-objects.ts'

/** The grounds on which an action was given rights outside of its space. */
export interface RestsOn {
  appId: string
  item: Court['item']
  objects: readonly Decidable[]
  /** Fingerprint of the deployment whose approval let its starter deploy into an elevated space; null: no approval did. */
  fingerprint: string | null
}

/** A court in which approvals say who has answered or ended them. */
export interface CourtNow extends Court {
  approvals: readonly (AskedApproval & { answered_by: string | null })[]
}

/** Why an action may not have its rights any more, in a sentence; undefined while all that it was given still counts. */
export function whyNotAnyMore({ objects, fingerprint }: RestsOn, court: CourtNow): string | undefined {
  const lost = objects.find((one) => !['rule', 'approved'].includes(verdictOf(one, court)))
  if (lost) return `${nameOf(lost)} may not be made any more: ${whyLost(lost, court)}. The deployment was stopped.`
  if (fingerprint === null) return undefined
  const about = court.approvals.filter((one) => one.fingerprint === fingerprint)
  if (about.some((one) => isUsable(one, court.now))) return undefined
  return `This may not be deployed here any more: ${howEnded(about[0]) ?? 'its approval is gone'}. The deployment was stopped.`
}

function whyLost(one: Decidable, court: CourtNow): string {
  if (!court.isOn) return 'the cluster takes nothing from charts outside of their spaces any more'
  const about = court.approvals.find(
    ({ state, objects }) =>
      (state === 'granted' || state === 'ended') &&
      objects.some(({ key, digest }) => key === keyOf(one) && digest === one.digest),
  )
  return howEnded(about) ?? 'the list of the cluster does not have it any more'
}

function howEnded(approval: CourtNow['approvals'][number] | undefined): string | undefined {
  if (approval?.state === 'ended') return `${approval.answered_by ?? 'somebody'} has ended its approval`
  return approval?.state === 'granted' ? 'the time of its approval is over' : undefined
}
