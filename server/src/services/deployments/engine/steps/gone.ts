import type { ResultLine } from '@quayside/contract/deployments/endpoints'
import { ManifestUnreadableError } from '../../../../adapters/helm/manifest.ts'
import { readManifestInWorker } from '../../../../adapters/helm/parse-manifest.ts'
import { Failure } from '../../../../platform/http/errors.ts'
import type { ObjectName, Remaining } from '../../ports.ts'
import { nameOf, objectsToCheck, objectsToGo } from '../../releases/release-objects.ts'
import { releaseOfAction } from '../../releases/release-ref.ts'
import { findObjectsToGo } from '../../store.ts'
import { type ActionContext, pause, StepFailed } from '../action-context.ts'
import { withRetry } from '../retry-policy.ts'
import { done, type Findings, type StepEnd } from './findings.ts'

/** Time to wait for objects whose deletion Helm did not wait for; Helm's own wait has another limit. */
const longestWaitMs = 60_000
/** Helm has waited for as long as it may: only what goes in this moment is waited for. */
const afterTimeoutMs = 3000
const lookEveryMs = 1000
const mostNamed = 5

/** Before Helm is started for a deletion: afterwards nobody can read what the release was made of. */
export async function rememberObjects(context: ActionContext, manifest: string | undefined): Promise<void> {
  const { action, ledger } = context
  if (action.kind !== 'Delete' || ledger.now().release_objects !== null || manifest === undefined) return
  const objects = await readManifestInWorker(manifest).catch((error: unknown) => {
    // Helm reads it in its own way, and what it then leaves it says.
    if (error instanceof ManifestUnreadableError) return []
    throw error
  })
  await ledger.change({ release_objects: objectsToGo(objects) })
}

/**
 * A release whose record is gone is not deleted as long as its objects are there: something may hold them, and run on.
 * Helm's word is not taken for it: its wait takes an object that it has not seen yet for one that is gone.
 */
export async function goneStep(context: ActionContext, { helm }: Pick<Findings, 'helm'>): Promise<StepEnd> {
  const { deps, action, ledger, input, journal, signal } = context
  if (input.kind !== 'Delete') return done
  const remembered =
    ledger.now().release_objects ?? (await findObjectsToGo(deps.db, action.tenant_id, action.app_id ?? ''))
  let objects: ObjectName[] = objectsToCheck(remembered, input.leftovers)
  const maxWaitMs = helm.timedOut ? afterTimeoutMs : Math.min(deps.config.deployTimeoutSeconds * 1000, longestWaitMs)
  const until = performance.now() + maxWaitMs
  for (let looks = 0; objects.length > 0; looks += 1) {
    const left = await remainingOf(context, objects)
    if (left.length === 0) break
    if (performance.now() >= until) throw stillThere(left)
    if (looks === 0) journal.say('delete', `Waiting until these are gone: ${namesOf(left)}`)
    objects = left
    await pause(lookEveryMs, signal)
  }
  return done
}

async function remainingOf(context: ActionContext, objects: readonly ObjectName[]): Promise<Remaining[]> {
  const { deps, action } = context
  try {
    return await withRetry(context, 'delete', () => deps.clusters.remaining(releaseOfAction(action), objects))
  } catch (error) {
    if (!(error instanceof Failure) || !error.code.startsWith('cluster.')) throw error
    throw new StepFailed(`It is not known whether all objects of the release are gone: ${error.message}`, [], error)
  }
}

function stillThere(left: readonly Remaining[]): StepFailed {
  const what = left.length === 1 ? 'an object of it is' : `${left.length} objects of it are`
  const lines = left.map((each): ResultLine => ({ message: sayOf(each), isSummary: false, resultType: 'error' }))
  return new StepFailed(
    `The release is gone, but ${what} still there: ${namesOf(left)}. What belongs to it may run on. Delete the app again once nothing holds it any more`,
    lines,
  )
}

function namesOf(left: readonly Remaining[]): string {
  const rest = left.length - mostNamed
  const shown = left.slice(0, mostNamed).map((each) => `${nameOf(each)}${heldBy(each)}`)
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const heldBy = ({ finalizers }: Remaining) =>
  finalizers.length === 0 ? '' : ` (${finalizers.length === 1 ? 'finalizer' : 'finalizers'} ${finalizers.join(', ')})`

function sayOf(each: Remaining): string {
  const where = each.namespace === null ? '' : ` in ${each.namespace}`
  if (!each.isTerminating) return `${nameOf(each)}${where} is still there and nobody has deleted it`
  return each.finalizers.length === 0
    ? `${nameOf(each)}${where} is still Terminating`
    : `${nameOf(each)}${where} is Terminating and held by ${each.finalizers.join(', ')}`
}
