import { isTrue, withCondition } from '../engine/conditions.ts'
import { type Engine, timestamp } from '../engine/engine.ts'
import type { Condition } from '../engine/pod-kinds.ts'
import { type Controller, itself, parseKey } from '../engine/reconcile-loop.ts'

const NAMES: Condition = { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
const ESTABLISHED: Condition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
}

/** Says of new kinds that they are served, where the API side has not said so. */
export function definitionController({ store, clock }: Engine): Controller {
  return {
    name: 'CustomResourceDefinition',
    watches: { 'apiextensions.k8s.io/customresourcedefinitions': itself },
    reconcile(key) {
      const definition = store.get('apiextensions.k8s.io/customresourcedefinitions', undefined, parseKey(key).name)
      if (!definition || definition.metadata.deletionTimestamp) return
      const { spec, status } = definition
      if (isTrue(status?.conditions, 'Established') && isTrue(status?.conditions, 'NamesAccepted')) return
      const now = timestamp(clock.now())
      const stored = spec.versions?.filter(({ storage }) => storage).map(({ name }) => name) ?? []
      store.setStatus('apiextensions.k8s.io/customresourcedefinitions', definition, {
        ...status,
        acceptedNames: status?.acceptedNames ?? spec.names,
        storedVersions: status?.storedVersions?.length ? status.storedVersions : stored,
        conditions: [NAMES, ESTABLISHED].reduce((list, one) => withCondition(list, one, now), status?.conditions),
      })
    },
  }
}

/** Extension API servers count as available: nothing behind the sandbox answers for them. */
export function apiServiceController({ store, clock }: Engine): Controller {
  return {
    name: 'APIService',
    watches: { 'apiregistration.k8s.io/apiservices': itself },
    reconcile(key) {
      const service = store.get('apiregistration.k8s.io/apiservices', undefined, parseKey(key).name)
      const { conditions } = (service?.status ?? {}) as { conditions?: Condition[] }
      if (!service || service.metadata.deletionTimestamp || isTrue(conditions, 'Available')) return
      const available = { type: 'Available', status: 'True', reason: 'Passed', message: 'all checks passed' }
      store.setStatus('apiregistration.k8s.io/apiservices', service, {
        conditions: withCondition(conditions, available, timestamp(clock.now())),
      })
    },
  }
}
