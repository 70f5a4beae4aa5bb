import { expect, test } from 'vitest'
import { modelSchema } from '../resources/model-schema.ts'
import { conform } from './conform.ts'

const deployment = (container: Record<string, unknown>) => ({
  metadata: { name: 'web' },
  spec: { replicas: 1, template: { spec: { containers: [{ name: 'web', ...container }] } } },
})

const check = (object: Record<string, unknown>) => conform(modelSchema('V1Deployment'), object, 'Deployment', 'v1')

test('unknown fields are dropped and named with their path', () => {
  const object = { ...deployment({ imagePul: 'x' }), extra: 1 }
  expect(check(object)).toEqual(['spec.template.spec.containers[0].imagePul', 'extra'])
  expect(object).toEqual(deployment({}))
})

test('quantities become canonical text, nulls go', () => {
  const object = deployment({ resources: { limits: { cpu: 0.5, memory: '1024Mi' } }, env: null })
  check(object)
  expect(object).toEqual(deployment({ resources: { limits: { cpu: '500m', memory: '1Gi' } } }))
})

test('a wrong type is refused with the field it stands in', () => {
  expect(() => check(deployment({ env: [{ name: 'A', value: 5 }] }))).toThrow(
    'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number into Go struct field EnvVar.spec.template.spec.containers.env.value of type string',
  )
  expect(() => check({ spec: { replicas: '2' } })).toThrow('of type int32')
  expect(() => check(deployment({ resources: { limits: { cpu: 'lots' } } }))).toThrow('quantities must match')
})
