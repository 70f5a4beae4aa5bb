import { Failure } from '../../../../platform/http/errors.ts'
import { type ActionContext, StepFailed } from '../action-context.ts'
import { done, type StepEnd } from './findings.ts'

/** Changes a running workload; done twice, it comes to the same. */
export async function changeWorkloadStep({ input, deps, action }: ActionContext): Promise<StepEnd> {
  if (input.kind !== 'ChangeWorkload') return done
  try {
    await deps.clusters.changeWorkload(action.tenant_id, action.app_id ?? '', input.change)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new StepFailed(error.message, [], error)
  }
  return done
}
