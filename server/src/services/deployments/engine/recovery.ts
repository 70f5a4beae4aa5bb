import type { Found, HelmKind } from '../releases/release-state.ts'
import { retrySeconds } from './retry-policy.ts'

/**
 * How the last Helm of this action ended, as far as it is known: it was never started, it ended by itself with success
 * or refusal, the cluster's API was not available to it, it ran out of time, or it was lost (killed, or with the replica
 * that watched it).
 */
export type LastRun = 'never' | 'done' | 'refused' | 'api-unavailable' | 'timeout' | 'lost'

export type Verdict =
  | { do: 'finish'; state: 'Success' | 'Failed'; because: string }
  | { do: 'run'; because?: string }
  /** Nothing was written: that start does not count, and Helm is started again a little later. */
  | { do: 'again'; because: string }
  /** Its status becomes `failed`, so that it blocks nothing any more; then the question is asked again, or the end is known. */
  | { do: 'unlock'; revision: number; because: string; thenFail?: true }
  | { do: 'supersede'; revision: number }
  /** Nobody can read it: its Secret becomes one that Helm does not look at. */
  | { do: 'set-aside'; revision: number }
  | { do: 'wait' }

export interface Case {
  kind: HelmKind
  found: Found
  last: LastRun
  /** How often Helm was started for this action. */
  attempt: number
  /** How long the cluster has not answered. */
  unreachableSeconds: number
  /** Since Helm was first turned away. */
  unavailableSeconds: number
  /** Only for a repair: whoever asks for it knows that somebody may be at work. */
  force?: boolean
  /** Somebody has ended Helm: nothing is started any more, and no cluster is waited for. */
  isAborted?: boolean
}

const maxAttempts = 2
const longestAwaySeconds = 15 * 60

const missing =
  'The release is missing in the cluster: somebody has deleted it or its Secrets. Delete the app, which takes along what still runs of it, and deploy it again'

const uninstalled =
  'Somebody has uninstalled the release with Helm and kept its history: there is nothing left to change. Upgrade the app, which installs it again, or delete it, which removes the history, too'

const unreadable = (revision: number) =>
  `Revision ${revision} of the release cannot be read: its Secret is damaged. Repair moves it aside, so that the one before counts`

const succeeded = (because: string): Verdict => ({ do: 'finish', state: 'Success', because })
const failed = (because: string): Verdict & { do: 'finish' } => ({ do: 'finish', state: 'Failed', because })
const run = (because?: string): Verdict => (because ? { do: 'run', because } : { do: 'run' })

/**
 * Decides what to do next about a release, from its state in the cluster. The same table decides before Helm first
 * runs, after it ended in whatever way, and when another replica takes over: Helm's exit code alone decides nothing.
 */
export function decide(question: Case): Verdict {
  const { found, unreachableSeconds } = question
  if (found.is === 'unreachable') return question.isAborted ? failed(unknownOutcome) : decideAway(unreachableSeconds)
  if (question.kind === 'Delete') return decideDelete(question)
  if (question.kind === 'Repair') return decideRepair(found, question.force ?? false)
  if (found.is === 'unreadable') return failed(unreadable(found.revision))
  if (found.is === 'two-deployed') return { do: 'supersede', revision: found.older }
  if (found.is === 'uninstalling') {
    const because = 'A deletion of this release did not come to its end'
    return foreignHelmAtWork(found) ?? { do: 'unlock', revision: found.revision, because, thenFail: true }
  }
  if (found.is === 'pending') return decidePending(question, found)
  if (found.is === 'absent') return question.kind === 'Deploy' ? decideAbsent(question) : failed(missing)
  if (found.is === 'uninstalled') return question.kind === 'Rollback' ? failed(uninstalled) : decideAbsent(question)
  return found.is === 'deployed' ? decideDeployed(question, found) : decideFailed(question, found)
}

const unknownOutcome =
  'The outcome is unknown: the cluster does not answer. The release is looked at as soon as it does'

/** Waits for a cluster that does not answer, or that refuses changes to the release, and then gives up. */
export function decideAway(seconds: number): Verdict & { do: 'wait' | 'finish' } {
  return seconds < longestAwaySeconds
    ? { do: 'wait' }
    : failed('The outcome is unknown: the cluster could not be reached for 15 minutes')
}

function decideDelete({ found, last, attempt, unavailableSeconds, isAborted }: Case): Verdict {
  if (found.is === 'absent') return succeeded('The release is gone')
  // Once Helm has run for this deletion, it is this deletion that uninstalls.
  const isOwn = found.is === 'uninstalling' && attempt > 0
  const held = isOwn ? undefined : foreignHelmAtWork(found)
  if (held) return held
  if (last === 'api-unavailable' && (found.is === 'deployed' || found.is === 'failed' || found.is === 'uninstalled'))
    return again(unavailableSeconds, 'the release is still there')
  if (isAborted && found.is !== 'uninstalling' && found.is !== 'pending') return failed('The release is still there')
  // A deletion that timed out before it changed anything would only time out again.
  if (last === 'timeout' && found.is !== 'uninstalling') return failed('Helm timed out, the release is still there')
  if (attempt < maxAttempts && !isAborted)
    return run(last === 'never' ? undefined : 'The release is still there, deleting it again')
  if (found.is === 'uninstalling' || found.is === 'pending')
    return { do: 'unlock', revision: found.revision, because: 'The deletion did not come to its end' }
  return failed('The release is still there')
}

/** Somebody has looked and asked for it; what runs stays as it is. */
function decideRepair(found: Exclude<Found, { is: 'unreachable' }>, force: boolean): Verdict {
  const held = force ? undefined : foreignHelmAtWork(found)
  if (held) return held
  if (found.is === 'two-deployed') return { do: 'supersede', revision: found.older }
  if (found.is === 'pending' || found.is === 'uninstalling') {
    const status = found.is === 'pending' ? found.status : 'uninstalling'
    return { do: 'unlock', revision: found.revision, because: `Revision ${found.revision} was left ${status}` }
  }
  if (found.is === 'unreadable') return { do: 'set-aside', revision: found.revision }
  if (found.is === 'absent') return failed(missing)
  if (found.is === 'uninstalled') return failed(uninstalled)
  return succeeded('Nothing holds the release')
}

function decidePending({ kind, attempt }: Case, found: Found & { is: 'pending' }): Verdict {
  const { revision } = found
  if (found.ours) return { do: 'unlock', revision, because: 'Helm was interrupted' }
  if (!found.elsewhere) return { do: 'unlock', revision, because: 'An earlier operation was interrupted' }
  if (kind === 'Deploy' && attempt === 0) return failed('The release name is in use by somebody outside this portal')
  return (
    foreignHelmAtWork(found) ?? {
      do: 'unlock',
      revision,
      because: 'A foreign operation on the release was interrupted',
    }
  )
}

/** A Helm that this portal did not start and that seems to live is not crossed. */
function foreignHelmAtWork(found: Found): (Verdict & { do: 'finish' }) | undefined {
  const isOutside = found.is === 'uninstalling' || (found.is === 'pending' && found.elsewhere)
  return isOutside && found.held ? { do: 'finish', state: 'Failed', because: found.held } : undefined
}

function again(seconds: number, state: string): Verdict {
  return seconds < retrySeconds
    ? { do: 'again', because: `The API of the cluster is not available to Helm, ${state}` }
    : failed(`The API of the cluster was not available to Helm for ${retrySeconds} s, ${state}`)
}

/** Nothing runs: of an app that is to be installed, or of one that somebody has uninstalled and that is to come back. */
function decideAbsent({ last, attempt, unavailableSeconds }: Case): Verdict {
  if (last === 'api-unavailable') return again(unavailableSeconds, 'nothing was installed')
  if (last === 'never') return run()
  if (last === 'refused') return failed('Helm refused the installation')
  if (last === 'timeout') return failed('Helm timed out and left nothing')
  if (attempt < maxAttempts) return run('The installation left no trace, starting it again')
  return failed('The installation was not started')
}

function decideDeployed({ kind, last, attempt, unavailableSeconds }: Case, found: Found & { is: 'deployed' }): Verdict {
  if (found.ours) return succeeded(`Revision ${found.revision} is deployed`)
  if (kind === 'Deploy') return failed('The release name is in use')
  if (last === 'never') return run()
  if (last === 'api-unavailable') return again(unavailableSeconds, `revision ${found.revision} stays deployed`)
  if (last === 'refused' || last === 'timeout') return failed(`Helm refused, revision ${found.revision} stays deployed`)
  return attempt < maxAttempts
    ? run('Nothing was changed yet, starting again')
    : failed(`Nothing was changed, revision ${found.revision} stays deployed`)
}

function decideFailed({ last, attempt, unavailableSeconds }: Case, found: Found & { is: 'failed' }): Verdict {
  if (last === 'never') return run()
  if (last === 'api-unavailable' && !found.ours) return again(unavailableSeconds, 'nothing was changed')
  const wasCut = found.ours ? found.cut && last !== 'timeout' : last === 'lost'
  if (wasCut && attempt < maxAttempts) return run('Starting again')
  if (wasCut) return failed('Helm was interrupted twice')
  return failed(found.ours ? found.description : 'Helm refused')
}
