import type { KubeObject } from '../../object-store.ts'

export interface Condition {
  type: string
  status: string
  reason?: string
  message?: string
  lastTransitionTime?: string | null
  lastUpdateTime?: string
  lastProbeTime?: string | null
  observedGeneration?: number
}

export interface Requirement {
  key: string
  operator: string
  values?: string[]
}

export interface LabelSelector {
  matchLabels?: Record<string, string>
  matchExpressions?: Requirement[]
}

interface Probe {
  initialDelaySeconds?: number
  periodSeconds?: number
  httpGet?: { path?: string; port: number | string }
  tcpSocket?: { port: number | string }
  exec?: { command?: string[] }
  grpc?: { port: number }
}

interface KeyRef {
  name?: string
  key: string
  optional?: boolean
}

interface EnvVar {
  name: string
  value?: string
  valueFrom?: {
    fieldRef?: { fieldPath: string }
    configMapKeyRef?: KeyRef
    secretKeyRef?: KeyRef
    resourceFieldRef?: { resource: string }
  }
}

interface ContainerPort {
  name?: string
  containerPort: number
  hostPort?: number
  hostIP?: string
  protocol?: string
}

export interface Container {
  name: string
  image: string
  imagePullPolicy?: string
  command?: string[]
  args?: string[]
  env?: EnvVar[]
  envFrom?: {
    configMapRef?: { name: string; optional?: boolean }
    secretRef?: { name: string; optional?: boolean }
    prefix?: string
  }[]
  ports?: ContainerPort[]
  resources?: { requests?: Record<string, string | number>; limits?: Record<string, string | number> }
  readinessProbe?: Probe
  startupProbe?: Probe
  livenessProbe?: Probe
  restartPolicy?: string
}

interface ReferenceVolume {
  name?: string
  secretName?: string
  optional?: boolean
  items?: { key: string; path: string }[]
}

export interface Volume {
  name: string
  configMap?: ReferenceVolume
  secret?: ReferenceVolume
  projected?: { sources?: { configMap?: ReferenceVolume; secret?: ReferenceVolume }[] }
  persistentVolumeClaim?: { claimName: string }
  ephemeral?: { volumeClaimTemplate: { metadata?: Record<string, unknown>; spec: Record<string, unknown> } }
}

export interface Toleration {
  key?: string
  operator?: string
  value?: string
  effect?: string
  tolerationSeconds?: number
}

export interface NodeSelectorTerm {
  matchExpressions?: Requirement[]
  matchFields?: Requirement[]
}

export interface PodAffinityTerm {
  labelSelector?: LabelSelector
  namespaces?: string[]
  namespaceSelector?: LabelSelector
  topologyKey: string
}

export interface Affinity {
  nodeAffinity?: {
    requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms?: NodeSelectorTerm[] }
    preferredDuringSchedulingIgnoredDuringExecution?: unknown[]
  }
  podAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[] }
  podAntiAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[] }
}

interface SpreadConstraint {
  maxSkew: number
  topologyKey: string
  whenUnsatisfiable: string
  labelSelector?: LabelSelector
}

export interface PodSpec {
  containers: Container[]
  initContainers?: Container[]
  volumes?: Volume[]
  nodeName?: string
  nodeSelector?: Record<string, string>
  affinity?: Affinity
  tolerations?: Toleration[]
  topologySpreadConstraints?: SpreadConstraint[]
  restartPolicy?: string
  hostNetwork?: boolean
  hostname?: string
  subdomain?: string
  serviceAccountName?: string
  serviceAccount?: string
  schedulerName?: string
  schedulingGates?: { name: string }[]
  terminationGracePeriodSeconds?: number
  activeDeadlineSeconds?: number
  priorityClassName?: string
  priority?: number
  imagePullSecrets?: { name: string }[]
  readinessGates?: { conditionType: string }[]
  overhead?: Record<string, string>
  [field: string]: unknown
}

interface ContainerTermination {
  exitCode: number
  reason: string
  message?: string
  startedAt?: string
  finishedAt: string
  containerID?: string
}

interface ContainerState {
  waiting?: { reason: string; message?: string }
  running?: { startedAt: string }
  terminated?: ContainerTermination
}

export interface ContainerStatus {
  name: string
  image: string
  imageID: string
  containerID?: string
  ready: boolean
  started?: boolean
  restartCount: number
  state: ContainerState
  lastState: ContainerState
}

export interface PodStatus {
  phase?: string
  reason?: string
  message?: string
  conditions?: Condition[]
  hostIP?: string
  hostIPs?: { ip: string }[]
  podIP?: string
  podIPs?: { ip: string }[]
  startTime?: string
  qosClass?: string
  initContainerStatuses?: ContainerStatus[]
  containerStatuses?: ContainerStatus[]
  nominatedNodeName?: string
  observedGeneration?: number
}

export interface Pod extends KubeObject {
  spec: PodSpec
  status?: PodStatus
}

export interface PodTemplate {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string>; [field: string]: unknown }
  spec: PodSpec
}
