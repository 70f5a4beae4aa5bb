import type { V1DeleteOptions, V1PodDisruptionBudget } from '@kubernetes/client-node'
import { badRequest, tooManyRequests } from '../../api-error.ts'
import { matchesLabels, selectorRequirements } from '../../machinery/selectors.ts'
import type { KubeObject } from '../../object-store.ts'
import { docOf } from '../../store/doc.ts'
import { checkRecord } from '../objects/delete-objects.ts'
import { storedObject } from '../objects/read-objects.ts'
import { bodyOf, bodyTypeOf, nameOf, type ResourceRequest } from '../objects/resource-request.ts'
import { decodeBody } from '../read-body.ts'
import { created, type Reply } from '../reply.ts'
import { isDryRun } from '../request-options.ts'

const BUDGETS = 'policy/poddisruptionbudgets'

function budgetsFor(request: ResourceRequest, pod: KubeObject): KubeObject[] {
  return request.context.store.list(BUDGETS, request.path.namespace).filter((budget) => {
    const { selector } = budget.spec as NonNullable<V1PodDisruptionBudget['spec']>
    return selector !== undefined && matchesLabels(pod.metadata.labels, selectorRequirements(selector as never))
  })
}

function spend(request: ResourceRequest, budget: KubeObject): void {
  const { name, namespace } = budget.metadata
  const {
    disruptionsAllowed = 0,
    currentHealthy = 0,
    desiredHealthy = 0,
  } = (budget.status ?? {}) as NonNullable<V1PodDisruptionBudget['status']>
  if (disruptionsAllowed <= 0) {
    throw tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 10, [
      {
        reason: 'DisruptionBudget',
        message: `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
      },
    ])
  }
  request.context.store.update(
    BUDGETS,
    namespace,
    name,
    (now) => ({ ...now, status: { ...docOf(now.status), disruptionsAllowed: disruptionsAllowed - 1 } }),
    { status: true },
  )
}

/** Deletes a pod, provided that its disruption budget can bear it. */
export async function evictPod(request: ResourceRequest): Promise<Reply> {
  const body = docOf(decodeBody(bodyTypeOf(request), await bodyOf(request)))
  const options = docOf(body.deleteOptions) as V1DeleteOptions
  const pod = storedObject(request)
  const asked = docOf(body.metadata).name
  if (asked !== undefined && asked !== pod.metadata.name) {
    throw badRequest('name in URL does not match name in Eviction object')
  }
  checkRecord(request, pod, { ...options.preconditions })
  const phase = docOf(pod.status).phase
  const dryRun = isDryRun(request) || (options.dryRun?.length ?? 0) > 0
  if (!dryRun && phase !== 'Pending' && phase !== 'Succeeded' && phase !== 'Failed') {
    for (const budget of budgetsFor(request, pod)) spend(request, budget)
  }
  request.context.store.delete('/pods', request.path.namespace, nameOf(request), {
    gracePeriodSeconds: options.gracePeriodSeconds,
    dryRun,
  })
  return created({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })
}
