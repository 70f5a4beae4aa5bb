import { withCondition } from '../engine/conditions.ts'
import { type Engine, timestamp } from '../engine/engine.ts'
import type { PodDisruptionBudget } from '../engine/kinds.ts'
import { controllerOf, resourceOfKind } from '../engine/owners.ts'
import type { Pod } from '../engine/pod-kinds.ts'
import { portion } from '../engine/portion.ts'
import { type Controller, itself, keyOf, parseKey } from '../engine/reconcile-loop.ts'
import { selects } from '../engine/selectors.ts'
import { isActive, isReady } from './pod-facts.ts'

/** Counts how many pods may be evicted. */
export function disruptionBudgetController(engine: Engine): Controller {
  const { store, clock } = engine
  return {
    name: 'PodDisruptionBudget',
    watches: {
      'policy/poddisruptionbudgets': itself,
      '/pods': ({ object }) =>
        store
          .list('policy/poddisruptionbudgets', object.metadata.namespace)
          .filter(({ spec }) => selects(spec.selector, object.metadata.labels))
          .map(keyOf),
    },
    reconcile(key): undefined {
      const { namespace, name } = parseKey(key)
      const budget = store.get('policy/poddisruptionbudgets', namespace, name)
      if (!budget) return
      const pods = store
        .list('/pods', namespace)
        .filter((pod) => isActive(pod) && selects(budget.spec.selector, pod.metadata.labels))
      const counts = { ...needed(engine, budget, pods), currentHealthy: pods.filter(isReady).length }
      const disruptionsAllowed = pods.length === 0 ? 0 : Math.max(counts.currentHealthy - counts.desiredHealthy, 0)
      const condition = {
        type: 'DisruptionAllowed',
        status: disruptionsAllowed > 0 ? 'True' : 'False',
        reason: disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods',
        message: '',
        observedGeneration: budget.metadata.generation,
      }
      store.setStatus('policy/poddisruptionbudgets', budget, {
        ...counts,
        disruptionsAllowed,
        observedGeneration: budget.metadata.generation,
        conditions: withCondition(budget.status?.conditions, condition, timestamp(clock.now())),
      })
    },
  }
}

function needed(engine: Engine, { spec }: PodDisruptionBudget, pods: Pod[]) {
  if (spec.maxUnavailable === undefined && typeof spec.minAvailable !== 'string') {
    return { expectedPods: pods.length, desiredHealthy: spec.minAvailable ?? 0 }
  }
  const expectedPods = expected(engine, pods)
  if (spec.maxUnavailable === undefined) {
    return { expectedPods, desiredHealthy: portion(spec.minAvailable, expectedPods, 0, true) }
  }
  return {
    expectedPods,
    desiredHealthy: Math.max(expectedPods - portion(spec.maxUnavailable, expectedPods, 0, true), 0),
  }
}

/** The sum of what the controllers of these pods want, each counted once. */
function expected({ store }: Engine, pods: Pod[]): number {
  const wanted = new Map<string, number>()
  let loose = 0
  for (const pod of pods) {
    const owner = controllerOf(pod)
    const place = owner && resourceOfKind(store, owner.apiVersion, owner.kind)
    const object = owner && place && store.get(place.resource, pod.metadata.namespace, owner.name)
    const { replicas } = (object?.spec ?? {}) as { replicas?: number }
    if (owner && replicas !== undefined) wanted.set(owner.uid, replicas)
    else loose++
  }
  return [...wanted.values()].reduce((sum, count) => sum + count, loose)
}
