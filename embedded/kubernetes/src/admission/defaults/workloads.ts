import type {
  V1CronJob,
  V1DaemonSet,
  V1Deployment,
  V1Job,
  V1JobSpec,
  V1Pod,
  V1PodTemplate,
  V1ReplicaSet,
  V1ReplicationController,
  V1StatefulSet,
} from '@kubernetes/client-node'
import { fill } from './fill.ts'
import { fillPodSpec, fillTemplate } from './pod-spec.ts'

export function deployment({ spec }: V1Deployment): void {
  if (!spec) return
  fillTemplate(spec.template)
  fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600, strategy: {} })
  const { strategy = {} } = spec
  fill(strategy, { type: 'RollingUpdate' })
  if (strategy.type !== 'RollingUpdate') return
  fill(strategy, { rollingUpdate: {} })
  fill(strategy.rollingUpdate ?? {}, { maxUnavailable: '25%', maxSurge: '25%' })
}

export function statefulSet({ spec }: V1StatefulSet): void {
  if (!spec) return
  fillTemplate(spec.template)
  fill(spec, {
    replicas: 1,
    revisionHistoryLimit: 10,
    podManagementPolicy: 'OrderedReady',
    updateStrategy: {},
    persistentVolumeClaimRetentionPolicy: {},
  })
  const { updateStrategy = {}, persistentVolumeClaimRetentionPolicy: retention = {} } = spec
  fill(retention, { whenDeleted: 'Retain', whenScaled: 'Retain' })
  fill(updateStrategy, { type: 'RollingUpdate' })
  if (updateStrategy.type === 'RollingUpdate') {
    fill(updateStrategy, { rollingUpdate: {} })
    fill(updateStrategy.rollingUpdate ?? {}, { partition: 0 })
  }
  for (const claim of spec.volumeClaimTemplates ?? []) {
    fill(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: { phase: 'Pending' } })
    if (claim.spec) fill(claim.spec, { volumeMode: 'Filesystem' })
  }
}

export function daemonSet({ spec }: V1DaemonSet): void {
  if (!spec) return
  fillTemplate(spec.template)
  fill(spec, { revisionHistoryLimit: 10, updateStrategy: {} })
  const { updateStrategy = {} } = spec
  fill(updateStrategy, { type: 'RollingUpdate' })
  if (updateStrategy.type !== 'RollingUpdate') return
  fill(updateStrategy, { rollingUpdate: {} })
  fill(updateStrategy.rollingUpdate ?? {}, { maxUnavailable: 1, maxSurge: 0 })
}

export function replicaSet({ spec }: V1ReplicaSet): void {
  if (!spec) return
  fillTemplate(spec.template)
  fill(spec, { replicas: 1 })
}

export function replicationController(object: V1ReplicationController): void {
  const { spec } = object
  if (!spec) return
  fillTemplate(spec.template)
  fill(spec, { replicas: 1, selector: spec.template?.metadata?.labels })
}

function fillJobSpec(spec: V1JobSpec): void {
  fillTemplate(spec.template)
  if (spec.completions === undefined && spec.parallelism === undefined) fill(spec, { completions: 1 })
  fill(spec, {
    parallelism: 1,
    backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : 2 ** 31 - 1,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed',
  })
}

const OLD_UID_LABEL = 'controller-uid'
const UID_LABEL = 'batch.kubernetes.io/controller-uid'
const OLD_NAME_LABEL = 'job-name'
const NAME_LABEL = 'batch.kubernetes.io/job-name'

/** A job finds its pods by its own uid, unless it says that it knows better. */
function labelPods({ metadata, spec }: V1Job): void {
  if (!spec || spec.manualSelector || spec.selector) return
  const { uid = '', name = '' } = metadata ?? {}
  spec.template.metadata ??= {}
  const generated = { [OLD_UID_LABEL]: uid, [UID_LABEL]: uid, [OLD_NAME_LABEL]: name, [NAME_LABEL]: name }
  spec.template.metadata.labels = { ...spec.template.metadata.labels, ...generated }
  spec.selector = { matchLabels: { [UID_LABEL]: uid } }
}

export function job(object: V1Job): void {
  const { spec } = object
  if (!spec?.template) return
  fillJobSpec(spec)
  fill(spec, { manualSelector: false })
  labelPods(object)
}

export function cronJob({ spec }: V1CronJob): void {
  if (!spec) return
  fill(spec, {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  })
  if (spec.jobTemplate?.spec?.template) fillTemplate(spec.jobTemplate.spec.template)
}

export function podTemplate({ template }: V1PodTemplate): void {
  fillTemplate(template)
}

const TOLERATION_SECONDS = 300
const AWAY = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

export function pod({ spec }: V1Pod): void {
  if (!spec) return
  fillPodSpec(spec)
  fill(spec, { enableServiceLinks: true })
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    const { limits } = container.resources ?? {}
    if (!limits || !container.resources) continue
    container.resources.requests = { ...limits, ...container.resources.requests }
  }
  const tolerations = spec.tolerations ?? []
  for (const key of AWAY) {
    const met = tolerations.some((one) => (!one.key || one.key === key) && (!one.effect || one.effect === 'NoExecute'))
    if (met) continue
    tolerations.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: TOLERATION_SECONDS })
  }
  spec.tolerations = tolerations
}
