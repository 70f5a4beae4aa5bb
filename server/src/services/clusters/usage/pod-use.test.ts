import { expect, test } from 'vitest'
import { containersOf, nodeUseOf } from './pod-use.ts'

const object = (fields: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one' }, ...fields })

test('a container has what was measured beside what it asks for', () => {
  const pod = object({
    spec: {
      containers: [
        { name: 'web', resources: { requests: { cpu: '250m', memory: '64Mi' }, limits: { memory: '128Mi' } } },
        { name: 'fresh' },
      ],
      initContainers: [{ name: 'proxy', restartPolicy: 'Always' }, { name: 'migrate' }],
    },
  })
  const measured = object({ containers: [{ name: 'web', usage: { cpu: '250000000n', memory: '2048Ki' } }] })
  const nothing = { usage: null, requests: null, limits: null }
  expect(containersOf(pod, measured)).toEqual([
    {
      name: 'web',
      cpu: { usage: 0.25, requests: 0.25, limits: null },
      memory: { usage: 2_097_152, requests: 67_108_864, limits: 134_217_728 },
    },
    { name: 'fresh', cpu: nothing, memory: nothing },
    { name: 'proxy', cpu: nothing, memory: nothing },
  ])
})

test('a node that was not measured uses nothing that is known', () => {
  const node = object({ status: { allocatable: { cpu: '4', memory: '2Gi' } } })
  expect(nodeUseOf(object({ usage: { cpu: '2' } }), node).memory).toEqual({ usage: null, capacity: 2 ** 31 })
})

test('a node that is gone has no capacity', () => {
  const measured = object({ usage: { cpu: '2', memory: '1Gi' } })
  const node = object({ status: { allocatable: { cpu: '4', memory: '2Gi' } } })
  expect(nodeUseOf(measured, node).cpu).toEqual({ usage: 2, capacity: 4 })
  expect(nodeUseOf(measured, undefined).memory).toEqual({ usage: 2 ** 30, capacity: null })
})
