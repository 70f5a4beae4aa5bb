import type { KubeObject } from '../../object-store.ts'
import type { Condition, LabelSelector, Pod, PodTemplate } from './pod-kinds.ts'

export interface WorkloadStatus {
  observedGeneration?: number
  replicas?: number
  readyReplicas?: number
  availableReplicas?: number
  conditions?: Condition[]
}

export interface Deployment extends KubeObject {
  spec: {
    replicas?: number
    selector: LabelSelector
    template: PodTemplate
    strategy?: { type?: string; rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string } }
    minReadySeconds?: number
    revisionHistoryLimit?: number
    paused?: boolean
    progressDeadlineSeconds?: number
  }
  status?: WorkloadStatus & { updatedReplicas?: number; unavailableReplicas?: number; collisionCount?: number }
}

export interface ReplicaSet extends KubeObject {
  spec: { replicas?: number; selector: LabelSelector; template: PodTemplate; minReadySeconds?: number }
  status?: WorkloadStatus & { fullyLabeledReplicas?: number }
}

interface ReplicationController extends KubeObject {
  spec: { replicas?: number; selector?: Record<string, string>; template: PodTemplate; minReadySeconds?: number }
  status?: WorkloadStatus & { fullyLabeledReplicas?: number }
}

export interface StatefulSet extends KubeObject {
  spec: {
    replicas?: number
    selector: LabelSelector
    template: PodTemplate
    serviceName?: string
    podManagementPolicy?: string
    updateStrategy?: { type?: string; rollingUpdate?: { partition?: number; maxUnavailable?: number | string } }
    volumeClaimTemplates?: KubeObject[]
    minReadySeconds?: number
    revisionHistoryLimit?: number
    ordinals?: { start?: number }
    persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string }
  }
  status?: WorkloadStatus & {
    currentReplicas?: number
    updatedReplicas?: number
    currentRevision?: string
    updateRevision?: string
    collisionCount?: number
  }
}

export interface DaemonSet extends KubeObject {
  spec: {
    selector: LabelSelector
    template: PodTemplate
    updateStrategy?: { type?: string; rollingUpdate?: { maxUnavailable?: number | string; maxSurge?: number | string } }
    minReadySeconds?: number
    revisionHistoryLimit?: number
  }
  status?: {
    observedGeneration?: number
    currentNumberScheduled: number
    numberMisscheduled: number
    desiredNumberScheduled: number
    numberReady: number
    updatedNumberScheduled?: number
    numberAvailable?: number
    numberUnavailable?: number
    conditions?: Condition[]
  }
}

export interface ControllerRevision extends KubeObject {
  revision: number
  data: unknown
}

interface JobSpec {
  completions?: number
  parallelism?: number
  backoffLimit?: number
  activeDeadlineSeconds?: number
  ttlSecondsAfterFinished?: number
  suspend?: boolean
  manualSelector?: boolean
  completionMode?: string
  selector?: LabelSelector
  template: PodTemplate
}

export interface JobStatus {
  startTime?: string
  completionTime?: string
  active?: number
  ready?: number
  succeeded?: number
  failed?: number
  terminating?: number
  completedIndexes?: string
  uncountedTerminatedPods?: Record<string, unknown>
  conditions?: Condition[]
}

export interface Job extends KubeObject {
  spec: JobSpec
  status?: JobStatus
}

interface JobReference {
  apiVersion?: string
  kind?: string
  name?: string
  namespace?: string
  uid?: string
}

export interface CronJob extends KubeObject {
  spec: {
    schedule: string
    timeZone?: string
    suspend?: boolean
    concurrencyPolicy?: string
    startingDeadlineSeconds?: number
    successfulJobsHistoryLimit?: number
    failedJobsHistoryLimit?: number
    jobTemplate: {
      metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> }
      spec: JobSpec
    }
  }
  status?: { active?: JobReference[]; lastScheduleTime?: string; lastSuccessfulTime?: string }
}

export interface ServicePort {
  name?: string
  port: number
  targetPort?: number | string
  nodePort?: number
  protocol?: string
  appProtocol?: string
}

export interface Service extends KubeObject {
  spec: {
    type?: string
    selector?: Record<string, string>
    ports?: ServicePort[]
    clusterIP?: string
    clusterIPs?: string[]
    loadBalancerIP?: string
    loadBalancerClass?: string
    publishNotReadyAddresses?: boolean
  }
  status?: { loadBalancer?: { ingress?: LoadBalancerIngress[] }; conditions?: Condition[] }
}

export interface LoadBalancerIngress {
  ip?: string
  hostname?: string
  ipMode?: string
  ports?: { port: number; protocol: string }[]
}

interface Ingress extends KubeObject {
  spec?: { ingressClassName?: string; [field: string]: unknown }
  status?: { loadBalancer?: { ingress?: LoadBalancerIngress[] } }
}

interface IngressClass extends KubeObject {
  spec?: { controller?: string }
}

export interface Taint {
  key: string
  value?: string
  effect: string
  timeAdded?: string
}

export interface Node extends KubeObject {
  spec?: { unschedulable?: boolean; taints?: Taint[]; podCIDR?: string; providerID?: string; [field: string]: unknown }
  status?: {
    capacity?: Record<string, string>
    allocatable?: Record<string, string>
    conditions?: Condition[]
    addresses?: { type: string; address: string }[]
    nodeInfo?: Record<string, string>
    [field: string]: unknown
  }
}

export interface StorageClass extends KubeObject {
  provisioner: string
  reclaimPolicy?: string
  volumeBindingMode?: string
  allowVolumeExpansion?: boolean
}

export interface PersistentVolumeClaim extends KubeObject {
  spec: {
    accessModes?: string[]
    resources?: { requests?: Record<string, string> }
    storageClassName?: string
    volumeName?: string
    volumeMode?: string
    selector?: LabelSelector
  }
  status?: { phase?: string; accessModes?: string[]; capacity?: Record<string, string>; conditions?: Condition[] }
}

export interface PersistentVolume extends KubeObject {
  spec: {
    capacity?: Record<string, string>
    accessModes?: string[]
    storageClassName?: string
    persistentVolumeReclaimPolicy?: string
    volumeMode?: string
    claimRef?: {
      apiVersion?: string
      kind?: string
      namespace: string
      name: string
      uid?: string
      resourceVersion?: string
    }
    [field: string]: unknown
  }
  status?: { phase?: string; lastPhaseTransitionTime?: string }
}

export interface HorizontalPodAutoscaler extends KubeObject {
  spec: {
    scaleTargetRef: { apiVersion?: string; kind: string; name: string }
    minReplicas?: number
    maxReplicas: number
    metrics?: MetricSpec[]
    targetCPUUtilizationPercentage?: number
  }
  status?: Record<string, unknown> & { conditions?: Condition[]; desiredReplicas?: number; lastScaleTime?: string }
}

export interface MetricSpec {
  type: string
  resource?: { name: string; target: { type: string; averageUtilization?: number; averageValue?: string } }
}

export interface PodDisruptionBudget extends KubeObject {
  spec: { minAvailable?: number | string; maxUnavailable?: number | string; selector?: LabelSelector }
  status?: Record<string, unknown> & { conditions?: Condition[] }
}

export interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] }
  status?: { phase?: string; conditions?: Condition[] }
}

export interface DataObject extends KubeObject {
  data?: Record<string, string>
  type?: string
}

interface CustomResourceDefinition extends KubeObject {
  spec: {
    group: string
    scope: string
    names: { plural: string; kind: string; singular?: string; listKind?: string }
    versions?: { name: string; served?: boolean; storage?: boolean }[]
  }
  status?: { conditions?: Condition[]; acceptedNames?: unknown; storedVersions?: string[] }
}

/** Types of the objects that controllers work on, by resource; objects of any other resource are plain KubeObjects. */
export interface Kinds {
  '/pods': Pod
  '/services': Service
  '/nodes': Node
  '/namespaces': Namespace
  '/secrets': DataObject
  '/configmaps': DataObject
  '/persistentvolumeclaims': PersistentVolumeClaim
  '/persistentvolumes': PersistentVolume
  '/replicationcontrollers': ReplicationController
  'apps/deployments': Deployment
  'apps/replicasets': ReplicaSet
  'apps/statefulsets': StatefulSet
  'apps/daemonsets': DaemonSet
  'apps/controllerrevisions': ControllerRevision
  'batch/jobs': Job
  'batch/cronjobs': CronJob
  'autoscaling/horizontalpodautoscalers': HorizontalPodAutoscaler
  'policy/poddisruptionbudgets': PodDisruptionBudget
  'storage.k8s.io/storageclasses': StorageClass
  'networking.k8s.io/ingresses': Ingress
  'networking.k8s.io/ingressclasses': IngressClass
  'apiextensions.k8s.io/customresourcedefinitions': CustomResourceDefinition
}
