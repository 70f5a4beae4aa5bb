import { type FieldError, invalidValue, tooLong } from '../../field-error.ts'
import type { GroupResource, KubeObject } from '../../object-store.ts'

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
const QUALIFIED = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const MAX_ANNOTATIONS = 256 * 1024

export const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
export const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const LABEL_1035_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const NAME_PART_RULE =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const LABEL_VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const TOO_LONG = (limit: number) => `must be no more than ${limit} bytes`

/** What is wrong with a DNS label; nothing when it is one. */
export const labelProblem = (value: string): string | undefined =>
  value.length > 63 ? TOO_LONG(63) : LABEL.test(value) ? undefined : LABEL_RULE

export const subdomainProblem = (value: string): string | undefined =>
  value.length > 253 ? TOO_LONG(253) : SUBDOMAIN.test(value) ? undefined : SUBDOMAIN_RULE

const label1035Problem = (value: string): string | undefined =>
  value.length > 63 ? TOO_LONG(63) : LABEL_1035.test(value) ? undefined : LABEL_1035_RULE

function pathSegmentProblem(value: string): string | undefined {
  if (value === '.' || value === '..') return `may not be '${value}'`
  if (value.includes('/')) return "may not contain '/'"
  return value.includes('%') ? "may not contain '%'" : undefined
}

const NAME_RULES: Partial<Record<GroupResource, (value: string) => string | undefined>> = {
  '/namespaces': labelProblem,
  '/services': label1035Problem,
  'rbac.authorization.k8s.io/roles': pathSegmentProblem,
  'rbac.authorization.k8s.io/rolebindings': pathSegmentProblem,
  'rbac.authorization.k8s.io/clusterroles': pathSegmentProblem,
  'rbac.authorization.k8s.io/clusterrolebindings': pathSegmentProblem,
}

/** What is wrong with the key of a label or annotation. */
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

export function labelErrors(field: string, labels: Readonly<Record<string, string>> | undefined): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => {
    const errors: FieldError[] = []
    const problem = keyProblem(key)
    if (problem) errors.push(invalidValue(field, key, problem))
    if (value.length > 63) errors.push(invalidValue(field, value, TOO_LONG(63)))
    else if (!LABEL_VALUE.test(value)) errors.push(invalidValue(field, value, LABEL_VALUE_RULE))
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

/** What is wrong with an object's name, labels and annotations. */
export function metadataErrors(resource: GroupResource, { metadata }: KubeObject): FieldError[] {
  const problem = (NAME_RULES[resource] ?? subdomainProblem)(metadata.name)
  return [
    ...(problem ? [invalidValue('metadata.name', metadata.name, problem)] : []),
    ...labelErrors('metadata.labels', metadata.labels),
    ...annotationErrors(metadata.annotations),
  ]
}
