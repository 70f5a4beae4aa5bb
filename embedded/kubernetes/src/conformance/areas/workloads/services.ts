import assert from 'node:assert/strict'
import { expectCode, holds, invalid } from '../../answers.ts'
import { area } from '../../check.ts'
import { service } from '../../objects.ts'
import { MERGE } from '../../scope.ts'

const ONE = 'v1/services/one'
const DNS_1035 =
  /a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character/

export const services = area('services', (check) => {
  check('a service gets an address and defaults', async ({ make }) => {
    const { spec } = await make('v1/services', service('one'))
    assert.match(spec.clusterIP, /^\d+\.\d+\.\d+\.\d+$/)
    assert.deepEqual(spec.clusterIPs, [spec.clusterIP])
    holds(spec, {
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
    })
  })
  check('no two services have one address', async ({ make, post }) => {
    const { spec } = await make('v1/services', service('one'))
    invalid(await post('v1/services', service('two', { clusterIP: spec.clusterIP })), [
      'spec.clusterIPs',
      `Invalid value: ["${spec.clusterIP}"]: failed to allocate IP ${spec.clusterIP}: provided IP is already allocated`,
    ])
  })
  check('a service without an address', async ({ make }) => {
    const { spec } = await make('v1/services', service('one', { clusterIP: 'None' }))
    assert.deepEqual([spec.clusterIP, spec.clusterIPs], ['None', ['None']])
  })
  check('an address is kept', async ({ make, patch }) => {
    await make('v1/services', service('one'))
    const answer = await patch(ONE, MERGE, { spec: { clusterIP: '10.96.77.77', clusterIPs: ['10.96.77.77'] } })
    invalid(answer, ['spec.clusterIPs[0]', /^Invalid value: \["10\.96\.77\.77"\]: may not change once set$/])
  })
  check('an address survives the change to node ports', async ({ make, patch }) => {
    const { spec } = await make('v1/services', service('one'))
    const next = expectCode(await patch(ONE, MERGE, { spec: { type: 'NodePort' } }), 200).spec
    assert.equal(next.clusterIP, spec.clusterIP)
    assert.ok(next.ports[0].nodePort >= 30_000 && next.ports[0].nodePort <= 32_767)
    assert.equal(next.externalTrafficPolicy, 'Cluster')
  })
  check('node ports are taken back with the type', async ({ make, patch }) => {
    await make('v1/services', service('one', { type: 'NodePort' }))
    const next = expectCode(await patch(ONE, MERGE, { spec: { type: 'ClusterIP' } }), 200).spec
    assert.equal(next.ports[0].nodePort, undefined)
    assert.equal(next.externalTrafficPolicy, undefined)
  })
  check('no two services have one node port', async ({ make, post }) => {
    const { spec } = await make('v1/services', service('one', { type: 'NodePort' }))
    const { nodePort } = spec.ports[0]
    invalid(await post('v1/services', service('two', { type: 'NodePort', ports: [{ port: 80, nodePort }] })), [
      'spec.ports[0].nodePort',
      `Invalid value: ${nodePort}: provided port is already allocated`,
    ])
  })
  check('a node port is from its range', async ({ post }) => {
    const ports = [{ port: 80, nodePort: 80 }]
    invalid(await post('v1/services', service('one', { type: 'NodePort', ports })), [
      'spec.ports[0].nodePort',
      'Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
    ])
  })
  check('a node port is free again when its service is gone', async ({ make, remove }) => {
    const { spec } = await make('v1/services', service('one', { type: 'NodePort' }))
    await remove(ONE)
    const ports = [{ port: 80, nodePort: spec.ports[0].nodePort }]
    await make('v1/services', service('two', { type: 'NodePort', ports }))
  })
  check('a dry run takes no node port', async ({ make, post, remove }) => {
    const { spec } = await make('v1/services', service('one', { type: 'NodePort' }))
    await remove(ONE)
    const ports = [{ port: 80, nodePort: spec.ports[0].nodePort }]
    expectCode(await post('v1/services?dryRun=All', service('two', { type: 'NodePort', ports })), 201)
    await make('v1/services', service('three', { type: 'NodePort', ports }))
  })
  check('a load balancer has node ports unless it does not want them', async ({ make }) => {
    const { spec } = await make('v1/services', service('one', { type: 'LoadBalancer' }))
    assert.ok(spec.ports[0].nodePort)
    assert.equal(spec.allocateLoadBalancerNodePorts, true)
    const two = await make(
      'v1/services',
      service('two', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }),
    )
    assert.equal(two.spec.ports[0].nodePort, undefined)
  })
  check('an external name has no address', async ({ make }) => {
    const { spec } = await make('v1/services', service('one', { type: 'ExternalName', externalName: 'a.example.com' }))
    assert.equal(spec.clusterIP, undefined)
  })
  check('an external name is needed', async ({ post }) => {
    invalid(await post('v1/services', service('one', { type: 'ExternalName' })), [
      'spec.externalName',
      'Required value',
    ])
  })
  check('a service needs ports', async ({ post }) => {
    invalid(await post('v1/services', service('one', { ports: [] })), ['spec.ports', 'Required value'])
  })
  check('several ports need names', async ({ post }) => {
    invalid(
      await post('v1/services', service('one', { ports: [{ port: 80 }, { port: 81 }] })),
      ['spec.ports[0].name', 'Required value'],
      ['spec.ports[1].name', 'Required value'],
    )
  })
  check('no port is there twice', async ({ post }) => {
    const ports = [
      { name: 'a', port: 80 },
      { name: 'b', port: 80 },
    ]
    invalid(await post('v1/services', service('one', { ports })), ['spec.ports[1]', /^Duplicate value/])
  })
  check('a port has its bounds', async ({ post }) => {
    invalid(await post('v1/services', service('one', { ports: [{ port: 70_000, targetPort: 80 }] })), [
      'spec.ports[0].port',
      'Invalid value: 70000: must be between 1 and 65535, inclusive',
    ])
  })
  check('a protocol is one of three', async ({ post }) => {
    invalid(await post('v1/services', service('one', { ports: [{ port: 80, protocol: 'ICMP' }] })), [
      'spec.ports[0].protocol',
      'Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
    ])
  })
  check('the name of a service begins with a letter', async ({ post }) => {
    const answer = await post('v1/services', service('1one'))
    if (answer.code === 422) invalid(answer, ['metadata.name', DNS_1035])
    else expectCode(answer, 201)
  })
  check('a type is one of four', async ({ post }) => {
    invalid(await post('v1/services', service('one', { type: 'Magic' })), [
      'spec.type',
      'Unsupported value: "Magic": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ])
  })
  check('a service is followed by endpoint slices', 'controllers', async (t) => {
    await t.make('v1/services', service('one'))
    const slices = 'discovery.k8s.io/v1/endpointslices?labelSelector=kubernetes.io/service-name=one'
    const slice = await t.until('a slice', async () => (await t.read(slices)).items[0])
    assert.equal(slice.addressType, 'IPv4')
    assert.equal(slice.metadata.ownerReferences[0].name, 'one')
    assert.equal(slice.metadata.labels['endpointslice.kubernetes.io/managed-by'], 'endpointslice-controller.k8s.io')
  })
})
