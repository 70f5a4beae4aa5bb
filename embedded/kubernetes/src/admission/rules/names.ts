import { type FieldError, forbiddenField, invalidValue, tooLong } from '../../field-error.ts'
import type { GroupResource, KubeObject, ObjectMeta, OwnerReference } from '../../object-store.ts'

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
const QUALIFIED = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const MAX_ANNOTATIONS = 256 * 1024

const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const LABEL_1035_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const NAME_PART_RULE =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const LABEL_VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const TOO_LONG = (limit: number) => `must be no more than ${limit} bytes`

/** Message about an invalid DNS label; undefined when the label is valid. */
export const labelProblem = (value: string): string | undefined =>
  value.length > 63 ? TOO_LONG(63) : LABEL.test(value) ? undefined : LABEL_RULE

export const subdomainProblem = (value: string): string | undefined =>
  value.length > 253 ? 'must be no more than 253 characters' : SUBDOMAIN.test(value) ? undefined : SUBDOMAIN_RULE

const label1035Problem = (value: string): string | undefined =>
  value.length > 63 ? TOO_LONG(63) : LABEL_1035.test(value) ? undefined : LABEL_1035_RULE

function pathSegmentProblem(value: string): string | undefined {
  if (value === '.' || value === '..') return `may not be '${value}'`
  if (value.includes('/')) return "may not contain '/'"
  return value.includes('%') ? "may not contain '%'" : undefined
}

const NAME_RULES: Partial<Record<GroupResource, (value: string) => string | undefined>> = {
  '/namespaces': (value) => (value.includes('.') ? 'must not contain dots' : labelProblem(value)),
  '/services': label1035Problem,
  'rbac.authorization.k8s.io/roles': pathSegmentProblem,
  'rbac.authorization.k8s.io/rolebindings': pathSegmentProblem,
  'rbac.authorization.k8s.io/clusterroles': pathSegmentProblem,
  'rbac.authorization.k8s.io/clusterrolebindings': pathSegmentProblem,
}

/** Message about an invalid key of a label or annotation; undefined when the key is valid. */
export function keyProblem(key: string): string | undefined {
  const parts = key.split('/')
  if (parts.length > 2)
    return `a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`
  const name = parts.at(-1) ?? ''
  const prefix = parts.length === 2 ? parts[0] : undefined
  if (prefix === '') return 'prefix part must be non-empty'
  const wrong = prefix === undefined ? undefined : subdomainProblem(prefix)
  if (wrong) return `prefix part ${wrong}`
  if (name === '') return 'name part must be non-empty'
  if (name.length > 63) return `name part ${TOO_LONG(63)}`
  return QUALIFIED.test(name) ? undefined : NAME_PART_RULE
}

export const labelValueProblem = (value: string): string | undefined =>
  value.length > 63 ? TOO_LONG(63) : LABEL_VALUE.test(value) ? undefined : LABEL_VALUE_RULE

export function labelErrors(field: string, labels: Readonly<Record<string, string>> | undefined): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => {
    const errors: FieldError[] = []
    const problem = keyProblem(key)
    if (problem) errors.push(invalidValue(field, key, problem))
    const wrong = labelValueProblem(value)
    if (wrong) errors.push(invalidValue(field, value, wrong))
    return errors
  })
}

function annotationErrors(annotations: Readonly<Record<string, string>> | undefined): FieldError[] {
  const entries = Object.entries(annotations ?? {})
  const errors = entries.flatMap(([key]) => {
    const problem = keyProblem(key.toLowerCase())
    return problem ? [invalidValue('metadata.annotations', key, problem)] : []
  })
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0)
  return size > MAX_ANNOTATIONS ? [...errors, tooLong('metadata.annotations', MAX_ANNOTATIONS)] : errors
}

const STANDARD_FINALIZERS = new Set([
  'orphan',
  'foregroundDeletion',
  'kubernetes',
  // The server itself gives it to definitions.
  'customresourcecleanup.apiextensions.k8s.io',
])

function finalizerErrors(
  { finalizers = [], deletionTimestamp }: ObjectMeta,
  old: ObjectMeta | undefined,
): FieldError[] {
  const errors = finalizers.flatMap((name, index) => {
    const field = `metadata.finalizers[${index}]`
    const problem = keyProblem(name)
    if (problem) return [invalidValue(field, name, problem)]
    if (name.includes('/') || STANDARD_FINALIZERS.has(name)) return []
    return [invalidValue(field, name, 'name is neither a standard finalizer name nor is it fully qualified')]
  })
  const more =
    old?.deletionTimestamp && deletionTimestamp ? finalizers.filter((name) => !old.finalizers?.includes(name)) : []
  if (more.length === 0) return errors
  const found = more.map((name) => JSON.stringify(name)).join(', ')
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${found}}`
  const error = forbiddenField('metadata.finalizers', why)
  return [...errors, error, error]
}

function ownerErrors(owners: readonly OwnerReference[] = []): FieldError[] {
  const at = 'metadata.ownerReferences'
  const errors = owners.flatMap((owner) => {
    const { apiVersion = '', kind, name, uid } = owner
    const missing = [
      ...(apiVersion.split('/').at(-1)
        ? []
        : [invalidValue(`${at}.apiVersion`, apiVersion, 'version must not be empty')]),
      ...(kind ? [] : [invalidValue(`${at}.kind`, kind, 'must not be empty')]),
      ...(name ? [] : [invalidValue(`${at}.name`, name, 'must not be empty')]),
      ...(uid ? [] : [invalidValue(`${at}.uid`, uid, 'must not be empty')]),
    ]
    if (apiVersion !== 'v1' || kind !== 'Event') return missing
    return [...missing, invalidValue(at, owner, '/v1, Kind=Event is disallowed from being an owner')]
  })
  const [first, second] = owners.filter(({ controller }) => controller)
  if (!first || !second) return errors
  const found = `${first.kind}/${first.name} and ${second.kind}/${second.name}`
  const why = `Only one reference can have Controller set to true. Found "true" in references for ${found}`
  return [...errors, invalidValue(at, owners, why)]
}

/** Errors in an object's name, labels, annotations, owner references and finalizers. */
export function metadataErrors(resource: GroupResource, { metadata }: KubeObject, old?: KubeObject): FieldError[] {
  const problem = (NAME_RULES[resource] ?? subdomainProblem)(metadata.name)
  return [
    ...(problem ? [invalidValue('metadata.name', metadata.name, problem)] : []),
    ...labelErrors('metadata.labels', metadata.labels),
    ...annotationErrors(metadata.annotations),
    ...ownerErrors(metadata.ownerReferences),
    ...finalizerErrors(metadata, old?.metadata),
  ]
}
