import { Failure } from '../../../../platform/http/errors.ts'
import { mustMayStartPods } from '../../commands/elevation.ts'
import { type ActionContext, StepFailed } from '../action-context.ts'
import { done, type StepEnd } from './findings.ts'

/** Changes a running workload; done twice, it comes to the same. The space may have been elevated while this waited. */
export async function changeWorkloadStep({ input, deps, action }: ActionContext): Promise<StepEnd> {
  if (input.kind !== 'ChangeWorkload') return done
  const { tenant_id: tenantId, started_by_id: userId, app_id: appId, cluster_id: clusterId } = action
  const who = { tenantId, userId, spaceId: action.space_id ?? '' }
  const place = { who, clusterId: clusterId ?? '' }
  try {
    await deps.clusters.changeWorkload(tenantId, appId ?? '', input.change, () => mustMayStartPods(deps, place))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new StepFailed(error.message, [], error)
  }
  return done
}
