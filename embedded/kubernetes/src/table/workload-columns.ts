import type {
  V1Container,
  V1CronJob,
  V1DaemonSet,
  V1Deployment,
  V1Job,
  V1LabelSelector,
  V1PodDisruptionBudget,
  V1ReplicaSet,
  V1StatefulSet,
  V2HorizontalPodAutoscaler,
  V2MetricSpec,
} from '@kubernetes/client-node'
import { age, shortDuration } from './age.ts'
import { AGE, type Column, NONE, number, text, wide } from './column.ts'

interface Templated {
  spec?: { template?: { spec?: { containers: V1Container[] } } }
}

const containersOf = ({ spec }: Templated): V1Container[] => spec?.template?.spec?.containers ?? []

export function shownSelector(selector: V1LabelSelector | undefined): string {
  const plain = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`)
  const more = (selector?.matchExpressions ?? []).map(({ key, operator, values }) => {
    if (operator === 'Exists') return key
    if (operator === 'DoesNotExist') return `!${key}`
    return `${key} ${operator.toLowerCase()} (${values?.join(',')})`
  })
  return [...plain, ...more].join(',') || NONE
}

const TEMPLATE: readonly Column[] = [
  wide(
    text<Templated>('Containers', (object) =>
      containersOf(object)
        .map(({ name }) => name)
        .join(','),
    ),
  ),
  wide(
    text<Templated>('Images', (object) =>
      containersOf(object)
        .map(({ image }) => image)
        .join(','),
    ),
  ),
]

const SELECTOR = wide(text<V1Deployment>('Selector', ({ spec }) => shownSelector(spec?.selector)))

export const DEPLOYMENT_COLUMNS: readonly Column[] = [
  text<V1Deployment>('Ready', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`),
  number<V1Deployment>('Up-to-date', ({ status }) => status?.updatedReplicas),
  number<V1Deployment>('Available', ({ status }) => status?.availableReplicas),
  AGE,
  ...TEMPLATE,
  SELECTOR,
]

export const REPLICA_SET_COLUMNS: readonly Column[] = [
  number<V1ReplicaSet>('Desired', ({ spec }) => spec?.replicas),
  number<V1ReplicaSet>('Current', ({ status }) => status?.replicas),
  number<V1ReplicaSet>('Ready', ({ status }) => status?.readyReplicas),
  AGE,
  ...TEMPLATE,
  SELECTOR,
]

export const STATEFUL_SET_COLUMNS: readonly Column[] = [
  text<V1StatefulSet>('Ready', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`),
  AGE,
  ...TEMPLATE,
]

const nodeSelector = ({ spec }: V1DaemonSet): string =>
  Object.entries(spec?.template.spec?.nodeSelector ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(',') || NONE

export const DAEMON_SET_COLUMNS: readonly Column[] = [
  number<V1DaemonSet>('Desired', ({ status }) => status?.desiredNumberScheduled),
  number<V1DaemonSet>('Current', ({ status }) => status?.currentNumberScheduled),
  number<V1DaemonSet>('Ready', ({ status }) => status?.numberReady),
  number<V1DaemonSet>('Up-to-date', ({ status }) => status?.updatedNumberScheduled),
  number<V1DaemonSet>('Available', ({ status }) => status?.numberAvailable),
  text('Node Selector', nodeSelector),
  AGE,
  ...TEMPLATE,
  SELECTOR,
]

function completions({ spec, status }: V1Job): string {
  if (spec?.completions !== undefined) return `${status?.succeeded ?? 0}/${spec.completions}`
  const many = spec?.parallelism ?? 1
  return many > 1 ? `${status?.succeeded ?? 0}/1 of ${many}` : `${status?.succeeded ?? 0}/1`
}

function jobStatus({ metadata, status }: V1Job): string {
  const isTrue = (type: string) => status?.conditions?.some((one) => one.type === type && one.status === 'True')
  for (const [type, word] of Object.entries({ Complete: 'Complete', Failed: 'Failed' })) if (isTrue(type)) return word
  if (metadata?.deletionTimestamp) return 'Terminating'
  for (const [type, word] of Object.entries({
    Suspended: 'Suspended',
    FailureTarget: 'FailureTarget',
    SuccessCriteriaMet: 'SuccessCriteriaMet',
  })) {
    if (isTrue(type)) return word
  }
  return 'Running'
}

function jobDuration({ status }: V1Job, now: number): string {
  if (!status?.startTime) return ''
  const end = status.completionTime ? Date.parse(String(status.completionTime)) : now
  return shortDuration(end - Date.parse(String(status.startTime)))
}

export const JOB_COLUMNS: readonly Column[] = [
  text('Status', jobStatus),
  text('Completions', completions),
  text('Duration', jobDuration),
  AGE,
  ...TEMPLATE,
  SELECTOR,
]

export const CRON_JOB_COLUMNS: readonly Column[] = [
  text<V1CronJob>('Schedule', ({ spec }) => spec?.schedule),
  text<V1CronJob>('Timezone', ({ spec }) => spec?.timeZone ?? NONE),
  text<V1CronJob>('Suspend', ({ spec }) => (spec?.suspend ? 'True' : 'False')),
  number<V1CronJob>('Active', ({ status }) => status?.active?.length),
  text<V1CronJob>('Last Schedule', ({ status }, now) =>
    status?.lastScheduleTime ? age(status.lastScheduleTime, now) : NONE,
  ),
  AGE,
  wide(
    text<V1CronJob>('Containers', ({ spec }) =>
      containersOf(spec?.jobTemplate ?? {})
        .map(({ name }) => name)
        .join(','),
    ),
  ),
  wide(
    text<V1CronJob>('Images', ({ spec }) =>
      containersOf(spec?.jobTemplate ?? {})
        .map(({ image }) => image)
        .join(','),
    ),
  ),
  wide(text<V1CronJob>('Selector', ({ spec }) => shownSelector(spec?.jobTemplate.spec?.selector))),
]

function target(metric: V2MetricSpec, index: number, { status }: V2HorizontalPodAutoscaler): string {
  const source = metric.resource ?? metric.containerResource ?? metric.pods ?? metric.object ?? metric.external
  const now = status?.currentMetrics?.[index]
  const current = (now?.resource ?? now?.containerResource ?? now?.pods ?? now?.object ?? now?.external)?.current
  const wanted = source?.target
  if (wanted?.averageUtilization !== undefined) {
    const name = metric.resource?.name ?? metric.containerResource?.name ?? ''
    const is = current?.averageUtilization === undefined ? '<unknown>' : `${current.averageUtilization}%`
    return `${name}: ${is}/${wanted.averageUtilization}%`
  }
  const is = current?.averageValue ?? current?.value ?? '<unknown>'
  return wanted?.averageValue ? `${is}/${wanted.averageValue} (avg)` : `${is}/${wanted?.value ?? '<auto>'}`
}

export const AUTOSCALER_COLUMNS: readonly Column[] = [
  text<V2HorizontalPodAutoscaler>(
    'Reference',
    ({ spec }) => `${spec?.scaleTargetRef.kind}/${spec?.scaleTargetRef.name}`,
  ),
  text<V2HorizontalPodAutoscaler>(
    'Targets',
    (object) => (object.spec?.metrics ?? []).map((metric, index) => target(metric, index, object)).join(', ') || NONE,
  ),
  text<V2HorizontalPodAutoscaler>('MinPods', ({ spec }) => String(spec?.minReplicas ?? '<unset>')),
  number<V2HorizontalPodAutoscaler>('MaxPods', ({ spec }) => spec?.maxReplicas),
  number<V2HorizontalPodAutoscaler>('Replicas', ({ status }) => status?.currentReplicas),
  AGE,
]

export const BUDGET_COLUMNS: readonly Column[] = [
  text<V1PodDisruptionBudget>('Min Available', ({ spec }) => String(spec?.minAvailable ?? 'N/A')),
  text<V1PodDisruptionBudget>('Max Unavailable', ({ spec }) => String(spec?.maxUnavailable ?? 'N/A')),
  number<V1PodDisruptionBudget>('Allowed Disruptions', ({ status }) => status?.disruptionsAllowed),
  AGE,
]
