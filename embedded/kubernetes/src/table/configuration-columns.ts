import type {
  CoreV1Event,
  RbacV1Subject,
  V1APIService,
  V1CertificateSigningRequest,
  V1ClusterRoleBinding,
  V1ConfigMap,
  V1CustomResourceDefinition,
  V1Lease,
  V1MutatingWebhookConfiguration,
  V1Namespace,
  V1Node,
  V1PriorityClass,
  V1ResourceQuota,
  V1Secret,
} from '@kubernetes/client-node'
import { age, shortDuration } from './age.ts'
import { AGE, type Column, joined, NONE, number, text, wide } from './column.ts'

export const CONFIG_MAP_COLUMNS: readonly Column[] = [
  text<V1ConfigMap>('Data', ({ data, binaryData }) => Object.keys({ ...data, ...binaryData }).length),
  AGE,
]

export const SECRET_COLUMNS: readonly Column[] = [
  text<V1Secret>('Type', ({ type }) => type),
  number<V1Secret>('Data', ({ data }) => Object.keys(data ?? {}).length),
  AGE,
]

export const ACCOUNT_COLUMNS: readonly Column[] = [AGE]

export const NAMESPACE_COLUMNS: readonly Column[] = [text<V1Namespace>('Status', ({ status }) => status?.phase), AGE]

function nodeStatus({ status, spec }: V1Node): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const words = [ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown']
  if (spec?.unschedulable) words.push('SchedulingDisabled')
  return words.join(',')
}

const ROLE = 'node-role.kubernetes.io/'

const nodeRoles = ({ metadata }: V1Node): string =>
  joined(
    Object.keys(metadata?.labels ?? {})
      .filter((key) => key.startsWith(ROLE))
      .map((key) => key.slice(ROLE.length)),
  )

const addressOf =
  (kind: string) =>
  ({ status }: V1Node): string =>
    status?.addresses?.find(({ type }) => type === kind)?.address ?? NONE

export const NODE_COLUMNS: readonly Column[] = [
  text('Status', nodeStatus),
  text('Roles', nodeRoles),
  AGE,
  text<V1Node>('Version', ({ status }) => status?.nodeInfo?.kubeletVersion),
  wide(text('Internal-IP', addressOf('InternalIP'))),
  wide(text('External-IP', addressOf('ExternalIP'))),
  wide(text<V1Node>('OS-Image', ({ status }) => status?.nodeInfo?.osImage)),
  wide(text<V1Node>('Kernel-Version', ({ status }) => status?.nodeInfo?.kernelVersion)),
  wide(text<V1Node>('Container-Runtime', ({ status }) => status?.nodeInfo?.containerRuntimeVersion)),
]

const eventTime = ({ lastTimestamp, eventTime: at, metadata, series }: CoreV1Event): unknown =>
  series?.lastObservedTime ?? lastTimestamp ?? at ?? metadata.creationTimestamp

export const EVENT_COLUMNS: readonly Column[] = [
  text<CoreV1Event>('Last Seen', (event, now) => age(eventTime(event), now)),
  text<CoreV1Event>('Type', ({ type }) => type),
  text<CoreV1Event>('Reason', ({ reason }) => reason),
  text<CoreV1Event>('Object', ({ involvedObject: { kind, name } }) => `${kind?.toLowerCase()}/${name}`),
  wide(text<CoreV1Event>('Subobject', ({ involvedObject }) => involvedObject.fieldPath ?? '')),
  wide(
    text<CoreV1Event>('Source', ({ source, reportingComponent }) =>
      [source?.component ?? reportingComponent, source?.host].filter(Boolean).join(', '),
    ),
  ),
  text<CoreV1Event>('Message', ({ message }) => message?.trim()),
  wide(
    text<CoreV1Event>('First Seen', ({ firstTimestamp, eventTime: at, metadata }, now) =>
      age(firstTimestamp ?? at ?? metadata.creationTimestamp, now),
    ),
  ),
  wide(text<CoreV1Event>('Count', ({ count }) => count ?? 1)),
]

export const CREATED_AT: Column = {
  name: 'Created At',
  type: 'date',
  cell: ({ metadata }) => metadata.creationTimestamp,
}

const subjectsOf =
  (kind: RbacV1Subject['kind']) =>
  ({ subjects }: V1ClusterRoleBinding): string =>
    (subjects ?? [])
      .filter((subject) => subject.kind === kind)
      .map(({ name, namespace }) => (kind === 'ServiceAccount' ? `${namespace}/${name}` : name))
      .join(', ')

export const BINDING_COLUMNS: readonly Column[] = [
  text<V1ClusterRoleBinding>('Role', ({ roleRef }) => `${roleRef.kind}/${roleRef.name}`),
  AGE,
  wide(text('Users', subjectsOf('User'))),
  wide(text('Groups', subjectsOf('Group'))),
  wide(text('ServiceAccounts', subjectsOf('ServiceAccount'))),
]

export const QUOTA_COLUMNS: readonly Column[] = [
  text<V1ResourceQuota>('Request', (quota) => quotaText(quota, false)),
  text<V1ResourceQuota>('Limit', (quota) => quotaText(quota, true)),
  AGE,
]

function quotaText({ status }: V1ResourceQuota, limits: boolean): string {
  return Object.keys(status?.hard ?? {})
    .filter((name) => name.startsWith('limits.') === limits)
    .sort()
    .map((name) => `${name}: ${status?.used?.[name] ?? 0}/${status?.hard?.[name]}`)
    .join(', ')
}

export const PRIORITY_COLUMNS: readonly Column[] = [
  number<V1PriorityClass>('Value', ({ value }) => value),
  text<V1PriorityClass>('Global-Default', ({ globalDefault }) => globalDefault ?? false),
  AGE,
  text<V1PriorityClass>('PreemptionPolicy', ({ preemptionPolicy }) => preemptionPolicy),
]

export const LEASE_COLUMNS: readonly Column[] = [text<V1Lease>('Holder', ({ spec }) => spec?.holderIdentity ?? ''), AGE]

export const WEBHOOK_COLUMNS: readonly Column[] = [
  number<V1MutatingWebhookConfiguration>('Webhooks', ({ webhooks }) => webhooks?.length),
  AGE,
]

export const DEFINITION_COLUMNS: readonly Column[] = [
  text<V1CustomResourceDefinition>('Created At', ({ metadata }) => metadata?.creationTimestamp),
]

export const API_SERVICE_COLUMNS: readonly Column[] = [
  text<V1APIService>('Service', ({ spec }) =>
    spec?.service ? `${spec.service.namespace}/${spec.service.name}` : 'Local',
  ),
  text<V1APIService>(
    'Available',
    ({ status }) => status?.conditions?.find(({ type }) => type === 'Available')?.status ?? 'Unknown',
  ),
  AGE,
]

export const SIGNING_COLUMNS: readonly Column[] = [
  AGE,
  text<V1CertificateSigningRequest>('SignerName', ({ spec }) => spec.signerName),
  text<V1CertificateSigningRequest>('Requestor', ({ spec }) => spec.username ?? ''),
  text<V1CertificateSigningRequest>('RequestedDuration', ({ spec }) =>
    spec.expirationSeconds === undefined ? NONE : shortDuration(spec.expirationSeconds * 1000),
  ),
  text<V1CertificateSigningRequest>(
    'Condition',
    ({ status }) => (status?.conditions ?? []).map(({ type }) => type).join(',') || 'Pending',
  ),
]
