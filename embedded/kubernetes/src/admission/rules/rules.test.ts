import { expect, test } from 'vitest'
import type { GroupResource, KubeObject } from '../../object-store.ts'
import { fillDefaults } from '../defaults/defaults.ts'
import { objectErrors } from './rules.ts'

const RBAC = 'rbac.authorization.k8s.io'

/** Errors in a new object, as `field: message`. */
function problems(resource: GroupResource, draft: Record<string, unknown>): string[] {
  const object = structuredClone({ ...draft, metadata: { name: 'one', ...(draft.metadata ?? {}) } }) as KubeObject
  fillDefaults(resource, object, true)
  return objectErrors(resource, object).map(({ field, message }) => `${field}: ${message}`)
}

const binding = (kind: string, subject: Record<string, string>) => ({
  kind,
  roleRef: { kind: 'ClusterRole', name: 'view' },
  subjects: [subject],
})

test('inside a namespace a service account needs no namespace of its own; for the whole cluster it does', () => {
  const subject = { kind: 'ServiceAccount', name: 'app' }
  expect(problems(`${RBAC}/rolebindings`, binding('RoleBinding', subject))).toEqual([])
  expect(problems(`${RBAC}/clusterrolebindings`, binding('ClusterRoleBinding', subject))).toEqual([
    'subjects[0].namespace: Required value',
  ])
})

test('subjects are service accounts, users and groups, each of its own API group', () => {
  const wrongGroup = { kind: 'ServiceAccount', name: 'app', apiGroup: RBAC }
  expect(problems(`${RBAC}/rolebindings`, binding('RoleBinding', wrongGroup))).toEqual([
    `subjects[0].apiGroup: Unsupported value: "${RBAC}": supported values: ""`,
  ])
  expect(problems(`${RBAC}/rolebindings`, binding('RoleBinding', { kind: 'Robot', name: 'r2' }))).toEqual([
    'subjects[0].kind: Unsupported value: "Robot": supported values: "Group", "ServiceAccount", "User"',
  ])
  expect(problems(`${RBAC}/rolebindings`, binding('RoleBinding', { kind: 'User', name: 'jane' }))).toEqual([])
})

test('a job whose name is too long for the labels of its pods is refused at once', () => {
  const spec = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } } }
  expect(problems('batch/jobs', { kind: 'Job', metadata: { name: 'n'.repeat(63), uid: 'u' }, spec })).toEqual([])
  const name = 'n'.repeat(64)
  expect(problems('batch/jobs', { kind: 'Job', metadata: { name, uid: 'u' }, spec })).toEqual(
    Array(2).fill(`spec.template.labels: Invalid value: "${name}": must be no more than 63 bytes`),
  )
})
