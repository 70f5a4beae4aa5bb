import type {
  V1CronJob,
  V1DaemonSet,
  V1Deployment,
  V1DeploymentSpec,
  V1EphemeralContainer,
  V1Job,
  V1LabelSelector,
  V1Pod,
  V1PodTemplateSpec,
  V1StatefulSet,
  V2HorizontalPodAutoscaler,
} from '@kubernetes/client-node'
import { type FieldError, forbiddenField, invalidValue, required, unsupported } from '../../field-error.ts'
import { matchesLabels, selectorRequirements } from '../../machinery/selectors.ts'
import type { KubeObject } from '../../object-store.ts'
import { type Doc, deepEqual, docOf } from '../../store/doc.ts'
import { labelErrors } from './names.ts'
import { podSpecErrors } from './pods.ts'

const AT_LEAST_ZERO = 'must be greater than or equal to 0'
const IMMUTABLE = 'field is immutable'

const notNegative = (field: string, value: number | undefined): FieldError[] =>
  value !== undefined && value < 0 ? [invalidValue(field, value, AT_LEAST_ZERO)] : []

function selectorErrors(selector: V1LabelSelector | undefined, template: V1PodTemplateSpec | undefined): FieldError[] {
  if (!selector) return [required('spec.selector')]
  const requirements = selectorRequirements(selector as never)
  if (requirements.length === 0)
    return [invalidValue('spec.selector', selector, 'empty selector is invalid for deployment')]
  const labels = template?.metadata?.labels
  if (matchesLabels(labels, requirements)) return []
  const why = '`selector` does not match template `labels`'
  return [invalidValue('spec.template.metadata.labels', labels ?? null, why)]
}

function templateErrors(
  template: V1PodTemplateSpec | undefined,
  restarts: readonly string[],
  volumes?: string[],
): FieldError[] {
  if (!template) return [required('spec.template')]
  const errors = [
    ...labelErrors('spec.template.labels', template.metadata?.labels),
    ...podSpecErrors('spec.template.spec', template.spec, volumes),
  ]
  if (template.spec?.ephemeralContainers?.length) {
    const why = 'ephemeral containers not allowed in pod template'
    errors.push(forbiddenField('spec.template.spec.ephemeralContainers', why))
  }
  const policy = template.spec?.restartPolicy
  if (policy && !restarts.includes(policy)) {
    errors.push(unsupported('spec.template.spec.restartPolicy', policy, restarts))
  }
  return errors
}

const ALWAYS = ['Always']

/** Deployments, replica sets and daemon sets: replicas, a selector, and a template that it finds. */
export function workload(draft: KubeObject, old?: KubeObject): FieldError[] {
  const { spec } = draft as unknown as V1Deployment
  if (!spec) return [required('spec')]
  const errors = [
    ...notNegative('spec.replicas', spec.replicas),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...notNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...selectorErrors(spec.selector, spec.template),
    ...templateErrors(spec.template, ALWAYS),
    ...strategyErrors(draft.kind === 'Deployment' ? spec : undefined),
  ]
  const before = old && docOf(old.spec).selector
  if (old && !deepEqual(before, spec.selector)) errors.push(invalidValue('spec.selector', spec.selector, IMMUTABLE))
  return errors
}

const isNone = (amount: unknown) => amount === 0 || amount === '0%'

/** Errors in a daemon set: those of every workload, and an update strategy by which no pod could be replaced. */
export function daemonSet(draft: KubeObject, old?: KubeObject): FieldError[] {
  const { maxSurge, maxUnavailable } = (draft as unknown as V1DaemonSet).spec?.updateStrategy?.rollingUpdate ?? {}
  const errors = workload(draft, old)
  if (!isNone(maxSurge) || !isNone(maxUnavailable)) return errors
  return [...errors, required('spec.updateStrategy.rollingUpdate.maxUnavailable', 'cannot be 0 when maxSurge is 0')]
}

function strategyErrors(spec: V1DeploymentSpec | undefined): FieldError[] {
  const strategy = spec?.strategy
  if (strategy?.type === 'Recreate' && strategy.rollingUpdate) {
    const why = "may not be specified when strategy `type` is 'Recreate'"
    return [forbiddenField('spec.strategy.rollingUpdate', why)]
  }
  const { maxSurge, maxUnavailable } = strategy?.rollingUpdate ?? {}
  if (isNone(maxSurge) && isNone(maxUnavailable)) {
    const at = 'spec.strategy.rollingUpdate.maxUnavailable'
    return [invalidValue(at, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
  }
  const { type } = strategy ?? {}
  const types = ['Recreate', 'RollingUpdate']
  return type && !types.includes(type) ? [unsupported('spec.strategy.type', type, types)] : []
}

const MUTABLE_IN_SETS = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
])

const withoutMutable = (spec: unknown): Doc =>
  Object.fromEntries(Object.entries(docOf(spec)).filter(([field]) => !MUTABLE_IN_SETS.has(field)))

export function statefulSet(draft: KubeObject, old?: KubeObject): FieldError[] {
  const { spec } = draft as unknown as V1StatefulSet
  if (!spec) return [required('spec')]
  const claims = (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? '')
  const management = spec.podManagementPolicy
  const errors = [
    ...(management && !['OrderedReady', 'Parallel'].includes(management)
      ? [invalidValue('spec.podManagementPolicy', management, "must be 'OrderedReady' or 'Parallel'")]
      : []),
    ...notNegative('spec.replicas', spec.replicas),
    ...selectorErrors(spec.selector, spec.template),
    ...templateErrors(spec.template, ALWAYS, claims),
  ]
  if (old && !deepEqual(withoutMutable(old.spec), withoutMutable(spec))) {
    const fields =
      "'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'"
    errors.push(forbiddenField('spec', `updates to statefulset spec for fields other than ${fields} are forbidden`))
  }
  return errors
}

const ONCE = ['OnFailure', 'Never']

function jobSpecErrors(spec: V1Job['spec'], prefix: string): FieldError[] {
  if (!spec) return [required(prefix)]
  const policy = spec.template?.spec?.restartPolicy
  const errors = [
    ...notNegative(`${prefix}.parallelism`, spec.parallelism),
    ...notNegative(`${prefix}.completions`, spec.completions),
    ...notNegative(`${prefix}.backoffLimit`, spec.backoffLimit),
    ...labelErrors(`${prefix}.template.labels`, spec.template?.metadata?.labels),
    ...podSpecErrors(`${prefix}.template.spec`, spec.template?.spec),
  ]
  if (!policy || !ONCE.includes(policy)) {
    errors.push(required(`${prefix}.template.spec.restartPolicy`, 'valid values: "OnFailure", "Never"'))
  }
  return errors
}

export function job(draft: KubeObject, old?: KubeObject): FieldError[] {
  const { spec } = draft as unknown as V1Job
  const errors = jobSpecErrors(spec, 'spec')
  if (!old || !spec) return errors
  const before = old as unknown as V1Job
  for (const field of ['completions', 'selector', 'template', 'completionMode'] as const) {
    const suspended = field === 'template' && before.spec?.suspend === true
    if (suspended || deepEqual(before.spec?.[field], spec[field])) continue
    errors.push(invalidValue(`spec.${field}`, spec[field], IMMUTABLE))
  }
  return errors
}

const FIELD = String.raw`(\*|\w+(-\w+)?)(/\d+)?`
const SCHEDULE = new RegExp(
  String.raw`^(TZ=\S+ |CRON_TZ=\S+ )?(@(yearly|annually|monthly|weekly|daily|midnight|hourly)|@every \S+|${FIELD}(,${FIELD})*( (\?|${FIELD}(,${FIELD})*)){4})$`,
)

export function cronJob(draft: KubeObject): FieldError[] {
  const { spec } = draft as unknown as V1CronJob
  if (!spec) return [required('spec')]
  const errors = jobSpecErrors(spec.jobTemplate?.spec, 'spec.jobTemplate.spec')
  if (!spec.schedule) errors.push(required('spec.schedule'))
  else if (!SCHEDULE.test(spec.schedule.trim().replace(/\s+/g, ' '))) {
    const count = spec.schedule.trim().split(/\s+/).length
    const why =
      count === 5
        ? `failed to parse field in ${spec.schedule}`
        : `expected exactly 5 fields, found ${count}: [${spec.schedule}]`
    errors.push(invalidValue('spec.schedule', spec.schedule, why))
  }
  if (draft.metadata.name.length > 52) {
    errors.push(invalidValue('metadata.name', draft.metadata.name, 'must be no more than 52 characters'))
  }
  return errors
}

const PATCHABLE_POD_FIELDS = new Set([
  'activeDeadlineSeconds',
  'tolerations',
  'terminationGracePeriodSeconds',
  'schedulingGates',
])
const CONTAINER_LISTS = new Set(['containers', 'initContainers'])

function frozenPart(pod: KubeObject, subresource: string | undefined): Doc {
  const entries = Object.entries(docOf(pod.spec)).flatMap(([field, value]): [string, unknown][] => {
    if (PATCHABLE_POD_FIELDS.has(field)) return []
    if (field === 'ephemeralContainers' && subresource === 'ephemeralcontainers') return []
    if (!CONTAINER_LISTS.has(field) || !Array.isArray(value)) return [[field, value]]
    const kept = value.map((container: Doc) => {
      const { image: _image, ...rest } = container
      if (subresource === 'resize') delete rest.resources
      return rest
    })
    return [[field, kept]]
  })
  return Object.fromEntries(entries)
}

export function pod(draft: KubeObject, old?: KubeObject, subresource?: string): FieldError[] {
  const { spec } = draft as unknown as V1Pod
  const errors = podSpecErrors('spec', spec)
  if (old && !deepEqual(frozenPart(old, subresource), frozenPart(draft, subresource))) {
    const why =
      'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'
    errors.push(forbiddenField('spec', why))
  }
  return [...errors, ...ephemeralErrors(spec?.ephemeralContainers ?? [], old as unknown as V1Pod | undefined)]
}

/** Ephemeral containers are added to a pod that is there, and stay as they are. */
function ephemeralErrors(containers: readonly V1EphemeralContainer[], old: V1Pod | undefined): FieldError[] {
  const field = 'spec.ephemeralContainers'
  if (!old) return containers.length > 0 ? [forbiddenField(field, 'cannot be set on create')] : []
  return (old.spec?.ephemeralContainers ?? []).flatMap((before) => {
    const now = containers.find(({ name }) => name === before.name)
    if (now && deepEqual(now, before)) return []
    const what = `existing ephemeral containers ${JSON.stringify(before.name)} may not be`
    return [forbiddenField(field, `${what} ${now ? 'changed' : 'removed'}`)]
  })
}

export function autoscaler(draft: KubeObject): FieldError[] {
  const { spec } = draft as unknown as V2HorizontalPodAutoscaler
  if (!spec) return [required('spec')]
  const errors: FieldError[] = []
  const { minReplicas = 1, maxReplicas } = spec
  if (!spec.scaleTargetRef?.kind) errors.push(required('spec.scaleTargetRef.kind'))
  if (!spec.scaleTargetRef?.name) errors.push(required('spec.scaleTargetRef.name'))
  if (!maxReplicas || maxReplicas < 1) {
    errors.push(invalidValue('spec.maxReplicas', maxReplicas ?? 0, 'must be greater than 0'))
  } else if (maxReplicas < minReplicas) {
    errors.push(invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'))
  }
  return errors
}
