import { Failure, isDatabaseTrouble } from '../../kernel/errors.ts'
import { failpoint } from '../../kernel/failpoints.ts'
import { pause, type Run, StepFailed } from './run.ts'

const waits = [1000, 2000, 4000, 8000]

/** Makes sure of the space's namespace and gets its identity there; a cluster that is away for a moment is waited for. */
export async function namespaceStep(run: Run): Promise<void> {
  const { deps, action, journal } = run
  const namespace = action.namespace ?? ''
  const target = { namespace, spaceId: action.space_id ?? '' }
  journal.say('ensurenamespace', `Ensuring namespace ${namespace}`)
  for (const wait of [...waits, 0]) {
    try {
      await failpoint('F7')
      run.kubeconfig = await deps.clusters.deployKubeconfig(action.tenant_id, action.cluster_id ?? '', target)
      await failpoint('F8')
      journal.say('ensurenamespace', `Namespace ${namespace} is ready`, 'debug')
      return
    } catch (error) {
      if (!(error instanceof Failure) || isDatabaseTrouble(error)) throw error
      journal.say('ensurenamespace', error.message, 'error')
      if (error.code !== 'cluster.unreachable' || wait === 0) throw new StepFailed(error.message, [], error)
      await pause(wait, run.signal)
    }
  }
}
