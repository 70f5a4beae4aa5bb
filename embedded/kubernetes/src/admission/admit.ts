import type { Access } from '../auth/access.ts'
import { customErrors, fillSchemaDefaults } from '../crd/custom-object.ts'
import { admitDefinition } from '../crd/definitions.ts'
import { invalidObject } from '../field-error.ts'
import type { GroupResource, KubeObject } from '../object-store.ts'
import type { Registry } from '../resources/registry.ts'
import type { ResourceType } from '../resources/resource-type.ts'
import type { ClusterStore } from '../store/memory-store.ts'
import { whoActs } from './actor.ts'
import type { AdmissionControl } from './admission-control.ts'
import { chooseIngressClass, chooseStorageClass } from './classes.ts'
import { fillDefaults } from './defaults/defaults.ts'
import { applyLimitRanges } from './limit-ranges.ts'
import { admitPod } from './pod-admission.ts'
import { podSecurity } from './pod-security/pod-security.ts'
import { type Attempt, createPolicies } from './policies.ts'
import { checkQuota } from './quota.ts'
import { objectErrors } from './rules/rules.ts'
import { createServiceAddresses, type ServiceAddresses } from './service-addresses.ts'

const DEFINITIONS = 'apiextensions.k8s.io/customresourcedefinitions'

/**
 * Admission as far as the API server itself does it; webhooks that charts register are kept and never called.
 * @param allows answers what policies ask of rights
 * @param policiesAfterMs time until a change of admission policies counts
 */
export function createAdmission(
  store: () => ClusterStore,
  registry: Registry,
  allows: Access['allows'],
  policiesAfterMs = 0,
): AdmissionControl {
  const policies = createPolicies(store, allows, policiesAfterMs)
  let addresses: ServiceAddresses | undefined

  function fillAll(resource: GroupResource, draft: KubeObject, isNew: boolean): void {
    const schema = registry.keeper(resource)?.custom?.jsonSchema
    if (schema) fillSchemaDefaults(schema, draft)
    else fillDefaults(resource, draft, isNew)
    if (isNew && resource === DEFINITIONS) admitDefinition(draft, draft.metadata.creationTimestamp)
  }

  function settle(resource: GroupResource, draft: KubeObject, old?: KubeObject): void {
    if (resource !== '/services') return
    addresses ??= createServiceAddresses(store())
    addresses.assign(draft, old)
  }

  function check(resource: GroupResource, draft: KubeObject, old?: KubeObject, subresource?: string): void {
    const type = registry.keeper(resource)
    const errors = type?.custom ? customErrors(type, draft, old) : objectErrors(resource, draft, old, subresource)
    if (errors.length === 0 || !type) return
    throw invalidObject(type.group, type.kind, draft.metadata.name, errors)
  }

  function ask(type: ResourceType | undefined, change: Pick<Attempt, 'object' | 'old' | 'subresource'>): void {
    if (!type) return
    const { identity, warnings } = whoActs()
    warnings.push(...policies.ask(registry.all(), { type, ...change, identity }))
  }

  function secure(resource: GroupResource, object: KubeObject, old?: KubeObject, subresource?: string): void {
    whoActs().warnings.push(...podSecurity(store(), { resource, object, old, subresource }))
  }

  return {
    create(resource, draft) {
      const objects = store()
      fillAll(resource, draft, true)
      if (resource === '/pods') {
        applyLimitRanges(objects, draft)
        admitPod(objects, draft)
      }
      if (resource === '/persistentvolumeclaims') {
        chooseStorageClass(objects, draft)
        applyLimitRanges(objects, draft)
      }
      if (resource === 'networking.k8s.io/ingresses') chooseIngressClass(objects, draft)
      check(resource, draft)
      secure(resource, draft)
      ask(registry.keeper(resource), { object: draft })
      settle(resource, draft)
      checkQuota(objects, resource, draft)
    },
    update(type, draft, old, subresource) {
      if (subresource === 'status' || subresource === 'finalize') return ask(type, { object: draft, old, subresource })
      fillAll(type.storage, draft, false)
      settle(type.storage, draft, old)
      check(type.storage, draft, old, subresource)
      secure(type.storage, draft, old, subresource)
      ask(type, { object: draft, old, subresource })
      checkQuota(store(), type.storage, draft, old)
    },
    remove: (type, old) => ask(type, { old }),
    createPart: (type, object, subresource) => ask(type, { object, subresource }),
  }
}
