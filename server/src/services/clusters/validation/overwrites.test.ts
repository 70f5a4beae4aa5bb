import { expect, test } from 'vitest'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { KubeRefusal } from '../../../adapters/kubernetes/transport.ts'
import { overwriteLine, overwritten } from './overwrites.ts'

const object: KubeObject = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'n' } }

function answering(error?: Error, annotations: Record<string, string> = { 'meta.helm.sh/release-name': 'web' }) {
  const asked: unknown[] = []
  const apply: ClusterConnection['apply'] = async (...call) => {
    asked.push(call[2])
    if (error) throw error
    return object
  }
  const get = async () => ({ ...object, metadata: { ...object.metadata, annotations } })
  return { connection: { apply, get } as Partial<ClusterConnection> as ClusterConnection, asked }
}
const conflict = (message: string, field: string) => ({ reason: 'FieldManagerConflict', message, field })

test('what others hold is found without changing anything', async () => {
  const scaled = conflict('conflict with "kubectl" with subresource "scale" using apps/v1', '.spec.replicas')
  const { connection, asked } = answering(new KubeRefusal(409, 'Conflict', 'Apply failed', [scaled]))
  expect(await overwritten(connection, 'apps/v1/deployments', object)).toEqual([
    { field: '.spec.replicas', by: 'kubectl (scale)' },
  ])
  expect(asked).toEqual([{ dryRun: true, manager: 'helm', force: false }])
})

test('what is not of a release is left to Helm, which does not touch it', async () => {
  const made = conflict('conflict with "kubectl-create" using apps/v1', '.spec.replicas')
  const { connection } = answering(new KubeRefusal(409, 'Conflict', 'Apply failed', [made]), {})
  expect(await overwritten(connection, 'apps/v1/deployments', object)).toEqual([])
})

test('nothing is found where nobody holds anything, and another refusal stays one', async () => {
  expect(await overwritten(answering().connection, 'apps/v1/deployments', object)).toEqual([])
  const busy = new KubeRefusal(409, 'Conflict', 'the object has been modified')
  await expect(overwritten(answering(busy).connection, 'apps/v1/deployments', object)).rejects.toBe(busy)
})

test('fields are told by who has set them, the first few by name', () => {
  const taken = Array.from('abcdefg', (field) => ({ field: `.data.${field}`, by: 'kubectl-edit' }))
  expect(overwriteLine('ConfigMap web', [...taken, { field: '.spec.replicas', by: 'kubectl (scale)' }])).toBe(
    'ConfigMap web: the release takes back .data.a, .data.b, .data.c, .data.d, .data.e and 2 more, set by kubectl-edit; .spec.replicas, set by kubectl (scale)',
  )
})
