/** What a field of a message holds; `[]` after it when it repeats, `{}` when it is a map from text. */
export interface MessageField {
  name: string
  type: string
}

/**
 * The messages that clients send as protobuf, one line each: `Message number:name:type …`. Types are text, bytes, int,
 * bool, time, micro (time with a fraction) or another message.
 */
const MESSAGES = `
ObjectMeta 1:name:text 2:generateName:text 3:namespace:text 4:selfLink:text 5:uid:text 6:resourceVersion:text 7:generation:int 8:creationTimestamp:time 9:deletionTimestamp:time 10:deletionGracePeriodSeconds:int 11:labels:text{} 12:annotations:text{} 13:ownerReferences:OwnerReference[] 14:finalizers:text[] 17:managedFields:ManagedFieldsEntry[]
OwnerReference 1:kind:text 3:name:text 4:uid:text 5:apiVersion:text 6:controller:bool 7:blockOwnerDeletion:bool
ManagedFieldsEntry 1:manager:text 2:operation:text 3:apiVersion:text 4:time:time 6:fieldsType:text 7:fieldsV1:FieldsV1 8:subresource:text
FieldsV1 1:raw:json
Secret 1:metadata:ObjectMeta 2:data:bytes{} 3:type:text 4:stringData:text{} 5:immutable:bool
ConfigMap 1:metadata:ObjectMeta 2:data:text{} 3:binaryData:bytes{} 4:immutable:bool
Namespace 1:metadata:ObjectMeta 2:spec:NamespaceSpec 3:status:NamespaceStatus
NamespaceSpec 1:finalizers:text[]
NamespaceStatus 1:phase:text
ServiceAccount 1:metadata:ObjectMeta 2:secrets:ObjectReference[] 3:imagePullSecrets:LocalObjectReference[] 4:automountServiceAccountToken:bool
ObjectReference 1:kind:text 2:namespace:text 3:name:text 4:uid:text 5:apiVersion:text 6:resourceVersion:text 7:fieldPath:text
LocalObjectReference 1:name:text
DeleteOptions 1:gracePeriodSeconds:int 2:preconditions:Preconditions 3:orphanDependents:bool 4:propagationPolicy:text 5:dryRun:text[] 6:ignoreStoreReadErrorWithClusterBreakingPotential:bool
Preconditions 1:uid:text 2:resourceVersion:text
Eviction 1:metadata:ObjectMeta 2:deleteOptions:DeleteOptions
Binding 1:metadata:ObjectMeta 2:target:ObjectReference
Scale 1:metadata:ObjectMeta 2:spec:ScaleSpec 3:status:ScaleStatus
ScaleSpec 1:replicas:int
ScaleStatus 1:replicas:int 2:selector:text
Lease 1:metadata:ObjectMeta 2:spec:LeaseSpec
LeaseSpec 1:holderIdentity:text 2:leaseDurationSeconds:int 3:acquireTime:micro 4:renewTime:micro 5:leaseTransitions:int 6:strategy:text 7:preferredHolder:text
Event 1:metadata:ObjectMeta 2:involvedObject:ObjectReference 3:reason:text 4:message:text 5:source:EventSource 6:firstTimestamp:time 7:lastTimestamp:time 8:count:int 9:type:text 10:eventTime:micro 12:action:text 13:related:ObjectReference 14:reportingComponent:text 15:reportingInstance:text
EventSource 1:component:text 2:host:text
TokenRequest 1:metadata:ObjectMeta 2:spec:TokenRequestSpec
TokenRequestSpec 1:audiences:text[] 3:boundObjectRef:BoundObjectReference 4:expirationSeconds:int
BoundObjectReference 1:kind:text 2:apiVersion:text 3:name:text 4:uid:text
SelfSubjectReview 1:metadata:ObjectMeta
TokenReview 1:metadata:ObjectMeta 2:spec:TokenReviewSpec
TokenReviewSpec 1:token:text 2:audiences:text[]
SelfSubjectRulesReview 1:metadata:ObjectMeta 2:spec:SelfSubjectRulesReviewSpec
SelfSubjectRulesReviewSpec 1:namespace:text
SelfSubjectAccessReview 1:metadata:ObjectMeta 2:spec:SelfSubjectAccessReviewSpec
SelfSubjectAccessReviewSpec 1:resourceAttributes:ResourceAttributes 2:nonResourceAttributes:NonResourceAttributes
SubjectAccessReview 1:metadata:ObjectMeta 2:spec:SubjectAccessReviewSpec
LocalSubjectAccessReview 1:metadata:ObjectMeta 2:spec:SubjectAccessReviewSpec
SubjectAccessReviewSpec 1:resourceAttributes:ResourceAttributes 2:nonResourceAttributes:NonResourceAttributes 3:user:text 4:groups:text[] 6:uid:text
ResourceAttributes 1:namespace:text 2:verb:text 3:group:text 4:version:text 5:resource:text 6:subresource:text 7:name:text
NonResourceAttributes 1:path:text 2:verb:text
Role 1:metadata:ObjectMeta 2:rules:PolicyRule[]
ClusterRole 1:metadata:ObjectMeta 2:rules:PolicyRule[]
PolicyRule 1:verbs:text[] 2:apiGroups:text[] 3:resources:text[] 4:resourceNames:text[] 5:nonResourceURLs:text[]
RoleBinding 1:metadata:ObjectMeta 2:subjects:Subject[] 3:roleRef:RoleRef
ClusterRoleBinding 1:metadata:ObjectMeta 2:subjects:Subject[] 3:roleRef:RoleRef
Subject 1:kind:text 2:apiGroup:text 3:name:text 4:namespace:text
RoleRef 1:apiGroup:text 2:kind:text 3:name:text
`

function readMessages(): Map<string, Map<number, MessageField>> {
  const messages = new Map<string, Map<number, MessageField>>()
  for (const line of MESSAGES.trim().split('\n')) {
    const [message = '', ...fields] = line.split(' ')
    const entries = fields.map((field) => {
      const [number, name = '', type = ''] = field.split(':')
      return [Number(number), { name, type }] as const
    })
    messages.set(message, new Map(entries))
  }
  return messages
}

const messages = readMessages()

/** The fields of a message by number; undefined for messages that are not read. */
export const messageFields = (message: string): ReadonlyMap<number, MessageField> | undefined => messages.get(message)
