import { expect, test } from 'vitest'
import { createRegistry } from '../resources/registry.ts'
import { DOCUMENT_V2 } from './openapi-v2.ts'
import { createOpenApi } from './openapi-v3.ts'

const openApi = createOpenApi(createRegistry())
const apps = JSON.parse(openApi.document('apis/apps/v1')?.text ?? '{}')

test('PATCH of a kind says that it validates fields, which Helm asks for', () => {
  const { patch } = apps.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']
  expect(patch['x-kubernetes-group-version-kind']).toEqual({ group: 'apps', version: 'v1', kind: 'Deployment' })
  const names = patch.parameters.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['fieldValidation', 'dryRun', 'fieldManager', 'force']))
})

test('definitions say how lists merge, what is required, and what a field is for', () => {
  const { schemas } = apps.components
  const podSpec = schemas['io.k8s.api.core.v1.PodSpec']
  expect(podSpec.required).toEqual(['containers'])
  expect(podSpec.properties.containers).toMatchObject({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    'x-kubernetes-patch-merge-key': 'name',
    'x-kubernetes-patch-strategy': 'merge',
  })
  expect(schemas['io.k8s.api.apps.v1.DeploymentSpec'].properties.replicas.description).toContain('pods')
  expect(schemas['io.k8s.api.apps.v1.Deployment']['x-kubernetes-group-version-kind']).toEqual([
    { group: 'apps', version: 'v1', kind: 'Deployment' },
  ])
})

test('every reference leads to a definition, in every document', () => {
  for (const path of Object.keys(openApi.index().paths as object)) {
    const text = openApi.document(path)?.text ?? ''
    const { components } = JSON.parse(text)
    const references = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name))
    expect([...references].filter((name) => !components.schemas[name])).toEqual([])
  }
})

test('v2 is a document that says which specification it follows', () => {
  expect(DOCUMENT_V2.subarray(0, 5).toString('latin1')).toBe('\n\x032.0')
  expect(DOCUMENT_V2.indexOf('Kubernetes')).toBe(9)
})
