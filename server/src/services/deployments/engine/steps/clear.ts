import { failpoint } from '../../../../platform/config/failpoints.ts'
import { Failure } from '../../../../platform/http/errors.ts'
import { type ActionContext, pause, StepFailed } from '../action-context.ts'
import { isAway, waitMs } from '../retry-policy.ts'
import { done, type StepEnd } from './findings.ts'

/** A cluster that is away for longer is looked at again when it answers. */
const awayMs = 15 * 60_000
/** Time to wait for namespaces that finalizers hold. */
const goingMs = 10 * 60_000
const lookEveryMs = 1000

/** Takes a space off its clusters or one of them, or all of the tenant off one cluster. What is gone already is no matter. */
export async function clearStep(context: ActionContext): Promise<StepEnd> {
  const { input, deps, action, journal } = context
  const { tenant_id: tenantId } = action
  if (input.kind === 'DeleteSpace') {
    const { spaceId, namespace } = input
    const work = input.clusters.map(({ id, name }) =>
      clear(context, name, () => deps.clusters.clearSpace(tenantId, id, { spaceId, namespace }), true),
    )
    await Promise.allSettled(work)
    await Promise.all(work)
  }
  if (input.kind === 'LeaveCluster') {
    const { clusterId, spaceId, namespace } = input
    const look = () => deps.clusters.clearSpace(tenantId, clusterId, { spaceId, namespace })
    await clear(context, action.cluster_name ?? clusterId, look, true)
  }
  if (input.kind !== 'DeregisterCluster') return done
  const { clusterId } = input
  if (!input.forget) {
    await clear(context, action.app_name, () => deps.clusters.clearCluster(tenantId, clusterId), false)
    await mustStillHoldNoApps(context, clusterId)
    return done
  }
  await deps.clusters.releaseSpaces(tenantId, clusterId)
  for (const line of staysOn(input.namespaces)) journal.say('delete', line)
  return done
}

/** Throws if an app was accepted on the cluster in the same moment. */
async function mustStillHoldNoApps({ deps, action }: ActionContext, clusterId: string): Promise<void> {
  try {
    await deps.clusters.mustHoldNoApps(action.tenant_id, clusterId)
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'cluster.in-use')) throw error
    throw new StepFailed(error.message, [], error)
  }
}

const held =
  'Namespaces that were just being deleted are let go if the cluster answers; one that still waits has a finalizer on its network policy. Whoever administers the cluster removes it with: kubectl patch networkpolicy quayside-space -n NAMESPACE --type merge -p \'{"metadata":{"finalizers":null}}\''

/** Lines about everything that stays on a cluster that is forgotten. */
export function staysOn(namespaces: readonly string[]): string[] {
  const named = namespaces.length === 0 ? 'none that is known' : namespaces.join(', ')
  return [
    'Nothing was removed from the cluster. If it still runs, this stays on it:',
    `Namespaces of spaces: ${named}`,
    'The namespace quayside-system, and the cluster roles and bindings whose names begin with quayside:',
    'Kubeconfigs that were handed out work there for up to an hour',
    held,
    'Whoever administers the cluster removes it with: kubectl delete namespaces,clusterroles,clusterrolebindings -l app.kubernetes.io/managed-by=quayside',
  ]
}

async function clear(
  context: ActionContext,
  where: string,
  look: () => Promise<string[]>,
  isRemembered: boolean,
): Promise<void> {
  const { journal, waiting } = context
  const began = performance.now()
  const say = sayOnce((text, level) => journal.say('delete', text, level))
  journal.say('delete', `Removing what is on ${where}`)
  let isFirst = true
  for (let tries = 0; ; ) {
    const found = await attempt(look, isFirst)
    isFirst = false
    const age = performance.now() - began
    if (found.is === 'gone') return journal.say('delete', `Nothing is left on ${where}`)
    if (found.is === 'away') {
      if (age > awayMs) throw new StepFailed(`${where} could not be reached for 15 minutes. ${later(isRemembered)}`)
      say(`${found.because} Waiting for ${where}`, 'error')
      await pause(waitMs(tries), waiting)
      tries += 1
    } else {
      if (age > goingMs) throw new StepFailed(`Something holds what was deleted on ${where}: ${found.left}`)
      say(`Waiting on ${where} until these are gone: ${found.left}`, 'info')
      await pause(lookEveryMs, waiting)
    }
  }
}

const later = (isRemembered: boolean) =>
  isRemembered
    ? 'What the space has there is removed when it answers again'
    : 'The cluster is still registered: deregister it again, or forget it if it never comes back'

type Found = { is: 'gone' } | { is: 'away'; because: string } | { is: 'going'; left: string }

async function attempt(look: () => Promise<string[]>, isFirst: boolean): Promise<Found> {
  try {
    if (isFirst) await failpoint('F24')
    const left = await look()
    if (isFirst) await failpoint('F25')
    return left.length === 0 ? { is: 'gone' } : { is: 'going', left: left.join('; ') }
  } catch (error) {
    if (isAway(error)) return { is: 'away', because: error.message }
    if (!(error instanceof Failure)) throw error
    if (error.code === 'cluster.not-found') return { is: 'gone' }
    throw new StepFailed(error.message, [], error)
  }
}

function sayOnce(say: (text: string, level: 'info' | 'error') => void) {
  let last = ''
  return (text: string, level: 'info' | 'error') => {
    if (text !== last) say(text, level)
    last = text
  }
}
