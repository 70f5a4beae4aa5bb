/** How one list merges: by these keys under server-side apply, by `patch` under strategic merge. */
interface ListMerge {
  type: 'set' | 'map' | 'atomic'
  keys: readonly string[]
  patch?: string
  unite?: boolean
  retainKeys?: boolean
}

/**
 * Lists that merge item by item, as `Type.field keys [patch key] [retain]`. The types bear the names of the Go types;
 * where strategic merge matches by the first key it is not repeated. Everything that is not here is replaced whole.
 */
const MAP_LISTS = `
Container.ports containerPort,protocol
Container.env name
Container.volumeMounts mountPath
Container.volumeDevices devicePath
EphemeralContainer.ports containerPort,protocol
EphemeralContainer.env name
EphemeralContainer.volumeMounts mountPath
EphemeralContainer.volumeDevices devicePath
ContainerStatus.volumeMounts mountPath
ContainerStatus.allocatedResourcesStatus name
PodSpec.volumes name retain
PodSpec.initContainers name
PodSpec.containers name
PodSpec.ephemeralContainers name
PodSpec.imagePullSecrets name
PodSpec.hostAliases ip
PodSpec.topologySpreadConstraints topologyKey,whenUnsatisfiable
PodSpec.schedulingGates name
PodSpec.resourceClaims name retain
PodStatus.conditions type
PodStatus.podIPs ip
PodStatus.resourceClaimStatuses name retain
ServiceSpec.ports port,protocol
ServiceStatus.conditions type
ServiceAccount.secrets name
NodeStatus.conditions type
NodeStatus.addresses type
NamespaceStatus.conditions type
PersistentVolumeClaimStatus.conditions type
ReplicationControllerStatus.conditions type
DeploymentStatus.conditions type
StatefulSetStatus.conditions type
DaemonSetStatus.conditions type
ReplicaSetStatus.conditions type
HorizontalPodAutoscalerStatus.conditions type
PodDisruptionBudgetStatus.conditions type
ServiceCIDRStatus.conditions type
CSINodeSpec.drivers name
FlowSchemaStatus.conditions type
PriorityLevelConfigurationStatus.conditions type
ValidatingAdmissionPolicySpec.matchConditions name
ValidatingAdmissionPolicySpec.variables name
ValidatingWebhookConfiguration.webhooks name
MutatingWebhookConfiguration.webhooks name
ValidatingWebhook.matchConditions name
MutatingWebhook.matchConditions name
ObjectMeta.ownerReferences uid
CustomResourceDefinitionStatus.conditions type
APIServiceStatus.conditions type
`

/** Merged by key under server-side apply only. */
const APPLY_ONLY_LISTS: Record<string, readonly string[]> = {
  'ResourceRequirements.claims': ['name'],
  'ResourceStatus.resources': ['resourceID'],
  'ValidatingAdmissionPolicyStatus.conditions': ['type'],
  'CertificateSigningRequestStatus.conditions': ['type'],
}

/** Merged by key under strategic merge only. */
const PATCH_ONLY_LISTS: Record<string, string> = { 'JobStatus.conditions': 'type', 'PodStatus.hostIPs': 'ip' }

const SET_LISTS = new Set([
  'NodeSpec.podCIDRs',
  'ObjectMeta.finalizers',
  'ContainerRestartRuleOnExitCodes.values',
  'PodFailurePolicyOnExitCodesRequirement.values',
  'UncountedTerminatedPods.succeeded',
  'UncountedTerminatedPods.failed',
  'CSIDriverSpec.volumeLifecycleModes',
  'Endpoint.addresses',
  'ValidatingAdmissionPolicyBindingSpec.validationActions',
  'ResourcePolicyRule.verbs',
  'ResourcePolicyRule.apiGroups',
  'ResourcePolicyRule.resources',
  'ResourcePolicyRule.namespaces',
  'NonResourcePolicyRule.verbs',
  'NonResourcePolicyRule.nonResourceURLs',
])

const UNITED_BY_PATCH = new Set(['NodeSpec.podCIDRs', 'ObjectMeta.finalizers'])

const ATOMIC_STRUCTS = new Set(
  `SecretReference FileKeySelector ObjectFieldSelector ResourceFieldSelector ConfigMapKeySelector SecretKeySelector
   NodeSelector NodeSelectorTerm TopologySelectorTerm EndpointAddress EndpointPort ObjectReference LocalObjectReference
   TypedLocalObjectReference ScopeSelector CrossVersionObjectReference ServiceBackendPort Subject RoleRef ParamKind
   Variable ParamRef MatchResources NamedRuleWithOperations OwnerReference LabelSelector`.split(/\s+/),
)

const ATOMIC_MAPS = new Set([
  'PodSpec.nodeSelector',
  'ReplicationControllerSpec.selector',
  'ServiceSpec.selector',
  'Scheduling.nodeSelector',
])

/** Fields that hold a quantity, or a map of them: written as text or number, kept as text. */
const QUANTITIES = new Set(
  `PersistentVolumeSpec.capacity PersistentVolumeClaimStatus.capacity PersistentVolumeClaimStatus.allocatedResources
   EmptyDirVolumeSource.sizeLimit ResourceFieldSelector.divisor ResourceRequirements.limits
   ResourceRequirements.requests VolumeResourceRequirements.limits VolumeResourceRequirements.requests
   ContainerStatus.allocatedResources PodSpec.overhead PodStatus.allocatedResources NodeStatus.capacity
   NodeStatus.allocatable LimitRangeItem.max LimitRangeItem.min LimitRangeItem.default LimitRangeItem.defaultRequest
   LimitRangeItem.maxLimitRequestRatio ResourceQuotaSpec.hard ResourceQuotaStatus.hard ResourceQuotaStatus.used
   HPAScalingRules.tolerance MetricTarget.value MetricTarget.averageValue MetricValueStatus.value
   MetricValueStatus.averageValue CSIStorageCapacity.capacity CSIStorageCapacity.maximumVolumeSize
   Overhead.podFixed`.split(/\s+/),
)

function readMapLists(): Map<string, ListMerge> {
  const table = new Map<string, ListMerge>()
  for (const line of MAP_LISTS.trim().split('\n')) {
    const [field = '', keyList = '', retain] = line.split(' ')
    const keys = keyList.split(',')
    table.set(field, { type: 'map', keys, patch: keys[0], retainKeys: retain === 'retain' })
  }
  for (const [field, keys] of Object.entries(APPLY_ONLY_LISTS)) table.set(field, { type: 'map', keys })
  for (const [field, patch] of Object.entries(PATCH_ONLY_LISTS)) table.set(field, { type: 'atomic', keys: [], patch })
  for (const field of SET_LISTS) table.set(field, { type: 'set', keys: [], unite: UNITED_BY_PATCH.has(field) })
  return table
}

const LISTS = readMapLists()

/** `V1Container`, `CoreV1EndpointPort` and `V2MetricTarget` are Container, EndpointPort and MetricTarget. */
export const goTypeOf = (className: string): string => className.replace(/^[A-Z]?[a-z]*V\d+((alpha|beta)\d+)?/, '')

export const listMergeOf = (className: string, field: string): ListMerge | undefined =>
  LISTS.get(`${goTypeOf(className)}.${field}`)
export const isAtomicStruct = (className: string): boolean => ATOMIC_STRUCTS.has(goTypeOf(className))
export const isAtomicMap = (className: string, field: string): boolean =>
  ATOMIC_MAPS.has(`${goTypeOf(className)}.${field}`)
export const isQuantity = (className: string, field: string): boolean =>
  QUANTITIES.has(`${goTypeOf(className)}.${field}`)
/** DeploymentSpec.strategy: a patch that changes the type drops the members of the other type. */
export const retainsKeys = (className: string, field: string): boolean =>
  goTypeOf(className) === 'DeploymentSpec' && field === 'strategy'
