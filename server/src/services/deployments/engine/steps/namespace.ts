import { failpoint } from '../../../../platform/config/failpoints.ts'
import { Failure, isDatabaseTrouble } from '../../../../platform/http/errors.ts'
import { type ActionContext, StepFailed } from '../action-context.ts'
import { withRetry } from '../retry-policy.ts'
import type { StepEnd } from './findings.ts'

/**
 * Makes sure of the space's namespace and gets its identity there, once the cluster enforces what keeps spaces apart; a
 * cluster that is away for a while is waited for.
 */
export async function namespaceStep(context: ActionContext): Promise<StepEnd<'kubeconfig'>> {
  const { deps, action, journal } = context
  const namespace = action.namespace ?? ''
  const target = { namespace, spaceId: action.space_id ?? '' }
  journal.say('ensurenamespace', `Ensuring namespace ${namespace}`)
  let kubeconfig: string
  try {
    kubeconfig = await withRetry(context, 'ensurenamespace', async () => {
      await failpoint('F7')
      const made = await deps.clusters.deployKubeconfig(action.tenant_id, action.cluster_id ?? '', target, (late) =>
        journal.say(
          'ensurenamespace',
          `Waiting until the cluster enforces what keeps spaces apart: ${late.join(', ')}`,
        ),
      )
      await failpoint('F8')
      return made
    })
  } catch (error) {
    if (!(error instanceof Failure) || isDatabaseTrouble(error)) throw error
    journal.say('ensurenamespace', error.message, 'error')
    throw new StepFailed(error.message, [], error)
  }
  journal.say('ensurenamespace', `Namespace ${namespace} is ready`, 'debug')
  return { found: { kubeconfig } }
}
