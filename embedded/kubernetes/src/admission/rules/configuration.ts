import type {
  RbacV1Subject,
  V1ClusterRoleBinding,
  V1ConfigMap,
  V1CustomResourceDefinition,
  V1PersistentVolumeClaim,
  V1PolicyRule,
  V1Role,
  V1Secret,
  V1StorageClass,
} from '@kubernetes/client-node'
import { ruleProblems } from '../../expressions/schema-rules.ts'
import { type FieldError, forbiddenField, invalidValue, required, tooLong, unsupported } from '../../field-error.ts'
import { quantityNumber } from '../../machinery/quantity.ts'
import type { KubeObject } from '../../object-store.ts'
import { type Doc, deepEqual } from '../../store/doc.ts'
import { servingErrors } from './definition-versions.ts'
import { labelProblem, subdomainProblem } from './names.ts'

const MAX_DATA = 1024 * 1024
const KEY = /^[-._a-zA-Z0-9]+$/
const KEY_RULE =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
const IMMUTABLE = 'field is immutable'
const FROZEN = 'field is immutable when `immutable` is set'

function keyProblem(key: string): string | undefined {
  if (key === '.' || key === '..') return `must not be '${key}'`
  if (key.startsWith('..')) return "must not start with '..'"
  return KEY.test(key) && key.length <= 253 ? undefined : KEY_RULE
}

function dataErrors(data: Readonly<Record<string, string>> | undefined, field: string, encoded: boolean): FieldError[] {
  const entries = Object.entries(data ?? {})
  const errors = entries.flatMap(([key]) => {
    const problem = keyProblem(key)
    return problem ? [invalidValue(`${field}[${key}]`, key, problem)] : []
  })
  const size = entries.reduce(
    (sum, [, value]) => sum + (encoded ? (value.length * 3) / 4 : Buffer.byteLength(value)),
    0,
  )
  return size > MAX_DATA ? [...errors, tooLong(field === 'data' ? 'data' : '', MAX_DATA)] : errors
}

function frozen(draft: KubeObject, old: KubeObject | undefined, fields: readonly string[]): FieldError[] {
  if (!old?.immutable) return []
  const errors = draft.immutable ? [] : [forbiddenField('immutable', FROZEN)]
  return [
    ...errors,
    ...fields.filter((field) => !deepEqual(draft[field], old[field])).map((field) => forbiddenField(field, FROZEN)),
  ]
}

const REQUIRED_KEYS: Record<string, readonly string[]> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
}

export function secret(draft: KubeObject, old?: KubeObject): FieldError[] {
  const { data, type = '' } = draft as unknown as V1Secret
  const missing = (REQUIRED_KEYS[type] ?? []).filter((key) => data?.[key] === undefined)
  const errors = [
    ...dataErrors(data, 'data', true),
    ...missing.map((key) => required(`data[${key}]`)),
    ...frozen(draft, old, ['data']),
  ]
  if (
    type === 'kubernetes.io/service-account-token' &&
    !draft.metadata.annotations?.['kubernetes.io/service-account.name']
  ) {
    errors.push(required('metadata.annotations[kubernetes.io/service-account.name]'))
  }
  if (old && old.type !== type) errors.push(invalidValue('type', type, IMMUTABLE))
  return errors
}

export function configMap(draft: KubeObject, old?: KubeObject): FieldError[] {
  const { data, binaryData } = draft as unknown as V1ConfigMap
  const twice = Object.keys(data ?? {}).filter((key) => binaryData && key in binaryData)
  return [
    ...dataErrors(data, 'data', false),
    ...twice.map((key) => invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...dataErrors(binaryData, 'binaryData', true),
    ...frozen(draft, old, ['data', 'binaryData']),
  ]
}

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

export function claim(draft: KubeObject, old?: KubeObject): FieldError[] {
  const { spec } = draft as unknown as V1PersistentVolumeClaim
  const errors: FieldError[] = []
  const modes = spec?.accessModes ?? []
  if (modes.length === 0) errors.push(required('spec.accessModes', 'at least 1 access mode is required'))
  for (const mode of modes) {
    if (!ACCESS_MODES.includes(mode)) errors.push(unsupported('spec.accessModes', mode, ACCESS_MODES))
  }
  const size = spec?.resources?.requests?.storage
  if (size === undefined) errors.push(required('spec.resources[storage]'))
  else if (quantityNumber(size) <= 0)
    errors.push(invalidValue('spec.resources[storage]', size, 'must be greater than zero'))
  const before = (old as unknown as V1PersistentVolumeClaim | undefined)?.spec
  if (!before || !spec) return errors
  const { resources: _sizes, volumeName: named, ...rest } = spec
  const { resources: oldSizes, volumeName: oldName, ...oldRest } = before
  if (!deepEqual(rest, oldRest) || (oldName && oldName !== named)) {
    const why =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
    errors.push(forbiddenField('spec', why))
  } else if (quantityNumber(size) < quantityNumber(oldSizes?.requests?.storage)) {
    errors.push(forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity'))
  }
  return errors
}

export function storageClass(draft: KubeObject, old?: KubeObject): FieldError[] {
  const { provisioner, parameters, reclaimPolicy, volumeBindingMode } = draft as unknown as V1StorageClass
  const errors = provisioner ? [] : [required('provisioner')]
  if (!old) return errors
  const why = 'updates to {field} are forbidden.'
  const fields = { provisioner, parameters, reclaimPolicy, volumeBindingMode }
  const changed = Object.entries(fields).filter(([field, value]) => !deepEqual(old[field], value))
  return [...errors, ...changed.map(([field]) => forbiddenField(field, why.replace('{field}', field)))]
}

function ruleErrors(rule: V1PolicyRule, at: string, clusterWide: boolean): FieldError[] {
  const errors: FieldError[] = []
  if (!rule.verbs?.length) errors.push(required(`${at}.verbs`, 'verbs must contain at least one value'))
  if (rule.nonResourceURLs?.length) {
    if (!clusterWide) {
      const why = 'namespaced rules cannot apply to non-resource URLs'
      errors.push(invalidValue(`${at}.nonResourceURLs`, rule.nonResourceURLs, why))
    }
    return errors
  }
  if (!rule.apiGroups?.length) {
    errors.push(required(`${at}.apiGroups`, 'resource rules must supply at least one api group'))
  }
  if (!rule.resources?.length) {
    errors.push(required(`${at}.resources`, 'resource rules must supply at least one resource'))
  }
  return errors
}

export function role(draft: KubeObject): FieldError[] {
  const { rules } = draft as unknown as V1Role
  const wide = draft.kind === 'ClusterRole'
  return (rules ?? []).flatMap((rule, index) => ruleErrors(rule, `rules[${index}]`, wide))
}

const SUBJECTS = ['Group', 'ServiceAccount', 'User']

/** Inside a namespace, a service account without one is the one of that namespace. */
function subjectErrors(
  { kind, name, namespace, apiGroup = '' }: RbacV1Subject,
  at: string,
  inside: boolean,
): FieldError[] {
  const errors = name ? [] : [required(`${at}.name`)]
  if (!SUBJECTS.includes(kind)) return [...errors, unsupported(`${at}.kind`, kind ?? '', SUBJECTS)]
  const group = kind === 'ServiceAccount' ? '' : 'rbac.authorization.k8s.io'
  if (apiGroup !== group) errors.push(unsupported(`${at}.apiGroup`, apiGroup, [group]))
  if (kind === 'ServiceAccount' && !inside && !namespace) errors.push(required(`${at}.namespace`))
  return errors
}

export function roleBinding(draft: KubeObject, old?: KubeObject): FieldError[] {
  const { roleRef, subjects } = draft as unknown as V1ClusterRoleBinding
  const errors: FieldError[] = []
  const kinds = draft.kind === 'RoleBinding' ? ['ClusterRole', 'Role'] : ['ClusterRole']
  if (!roleRef?.name) errors.push(required('roleRef.name'))
  if (!kinds.includes(roleRef?.kind)) errors.push(unsupported('roleRef.kind', roleRef?.kind ?? '', kinds))
  for (const [index, subject] of (subjects ?? []).entries()) {
    errors.push(...subjectErrors(subject, `subjects[${index}]`, draft.kind === 'RoleBinding'))
  }
  if (old && !deepEqual(old.roleRef, roleRef)) errors.push(invalidValue('roleRef', roleRef, 'cannot change roleRef'))
  return errors
}

const SCOPES = ['Cluster', 'Namespaced']

export function definition(draft: KubeObject): FieldError[] {
  const { spec } = draft as unknown as V1CustomResourceDefinition
  const errors: FieldError[] = []
  const { group = '', names, scope, versions = [] } = spec ?? {}
  const problem = subdomainProblem(group)
  if (problem) errors.push(group ? invalidValue('spec.group', group, problem) : required('spec.group'))
  const wanted = `${names?.plural}.${group}`
  if (draft.metadata.name !== wanted) {
    const why = `must be spec.names.plural+"."+spec.group`
    errors.push(invalidValue('metadata.name', draft.metadata.name, why))
  }
  if (!scope || !SCOPES.includes(scope)) errors.push(unsupported('spec.scope', scope ?? '', SCOPES))
  if (!names?.kind) errors.push(required('spec.names.kind'))
  if (!names?.plural) errors.push(required('spec.names.plural'))
  else {
    const wrong = labelProblem(names.plural)
    if (wrong) errors.push(invalidValue('spec.names.plural', names.plural, wrong))
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    errors.push(
      invalidValue(
        'spec.versions',
        versions.map(({ name }) => name),
        'must have exactly one version marked as storage version',
      ),
    )
  }
  for (const [index, version] of versions.entries()) {
    errors.push(...servingErrors(version, `spec.versions[${index}]`))
    if (!version.schema?.openAPIV3Schema) {
      errors.push(required(`spec.versions[${index}].schema.openAPIV3Schema`, 'schemas are required'))
    } else {
      const at = versions.length === 1 ? 'spec.validation' : `spec.versions[${index}].schema`
      errors.push(...ruleProblems(version.schema.openAPIV3Schema as Doc, `${at}.openAPIV3Schema`))
    }
  }
  return errors
}
