import { describe, expect, it, test } from 'vitest'
import type { Fields } from '../../workloads/fields.ts'
import { dangersIn, isClusters, notInClusters, overControlPlane } from './control-plane.ts'

const rule = (group: string, resource: string, verbs: string[], resourceNames?: string[]): Fields => ({
  ...{ apiGroups: [group], resources: [resource], verbs },
  ...(resourceNames ? { resourceNames } : {}),
})
const leases = (verbs: string[], names?: string[]) => rule('coordination.k8s.io', 'leases', verbs, names)
const maps = (verbs: string[], names?: string[]) => rule('', 'configmaps', verbs, names)
const secrets = (verbs: string[], names?: string[]) => rule('', 'secrets', verbs, names)

describe('nobody can approve', () => {
  it.each<[string, string | null, Fields]>([
    ['the lease of the controllers', 'kube-system', leases(['update'], ['kube-controller-manager'])],
    ['the lease of the scheduler, by making it', 'kube-system', leases(['create'], ['kube-scheduler'])],
    ['one such lease among its own', 'kube-system', leases(['patch'], ['web', 'cloud-controller-manager'])],
    ['all leases of kube-system', 'kube-system', leases(['get', 'update'])],
    ['the deletion of all of them', 'kube-system', leases(['deletecollection'])],
    ['every verb on leases', 'kube-system', leases(['*'])],
    ['every resource of the group of leases', 'kube-system', rule('coordination.k8s.io', '*', ['patch'])],
    ['leases of nodes', 'kube-node-lease', leases(['create'])],
    ['the lease of a node', 'kube-node-lease', leases(['update'], ['node-1'])],
    ['the lease of the controllers, wherever it is', null, leases(['update'], ['kube-controller-manager'])],
    ['the DNS of the cluster', null, maps(['update'], ['coredns'])],
    ['whom the API server believes', null, maps(['patch'], ['extension-apiserver-authentication'])],
    ['who is who on EKS', null, maps(['update'], ['aws-auth'])],
    ['how nodes are set up', null, maps(['update'], ['kubeadm-config'])],
    ['by which nodes join', null, maps(['update'], ['cluster-info'])],
    ['ConfigMaps of kube-system', 'kube-system', maps(['update'])],
    ['one Secret of kube-system', 'kube-system', secrets(['create'])],
    ['a named Secret of kube-system', 'kube-system', secrets(['update'], ['own'])],
  ])('%s in %s', (_, namespace, one) => {
    expect(overControlPlane([maps(['get']), one], namespace)).toMatch(/^it could change /)
  })
})

describe('somebody can be asked for', () => {
  it.each<[string, string | null, Fields[]]>([
    ['a lease of its own', 'kube-system', [leases(['get', 'update', 'patch'], ['cert-manager-controller'])]],
    ['making a lease', 'kube-system', [leases(['create'])]],
    ['reading leases', 'kube-system', [leases(['get', 'list', 'watch'])]],
    ['reading how callers are recognised', 'kube-system', [maps(['get'], ['extension-apiserver-authentication'])]],
    ['leases of every namespace', null, [leases(['create', 'update'])]],
    ['a Secret by its name', null, [secrets(['update'], ['own'])]],
    ['leases of a namespace that is not of the cluster', 'monitoring', [leases(['update'])]],
  ])('%s in %s', (_, namespace, rules) => {
    expect(overControlPlane(rules, namespace)).toBeUndefined()
  })
})

it('in the namespaces of the cluster a chart gets leases and events, and nothing else', () => {
  const own = [leases(['update'], ['web']), rule('', 'events', ['create'])]
  expect(notInClusters(own, 'kube-system')).toBeUndefined()
  expect(notInClusters([...own, maps(['get'])], 'kube-system')).toContain('nothing but leases')
  expect(notInClusters([maps(['get'])], 'monitoring')).toBeUndefined()
})

it.each<[string, string | null, Fields[], RegExp[]]>([
  ['leases everywhere', null, [leases(['update'])], [/keep programs of the control plane from working/]],
  ['ConfigMaps everywhere', null, [maps(['*'])], [/ConfigMaps of kube-system/]],
  ['Secrets everywhere', null, [secrets(['create'])], [/which is the whole cluster/]],
  ['what it names', null, [leases(['update'], ['web']), maps(['update'], ['web'])], []],
  ['what it only reads', null, [leases(['get']), maps(['list']), secrets(['get'])], []],
  ['making leases in kube-system', 'kube-system', [leases(['create'])], [/make leases of any name in kube-system/]],
  [
    'how callers are recognised',
    'kube-system',
    [maps(['get'], ['extension-apiserver-authentication'])],
    [/changes nothing of it/],
  ],
  ['a namespace of nobody', 'monitoring', [leases(['update']), secrets(['*'])], []],
])('the dangers of %s in %s are told', (_, namespace, rules, words) => {
  expect(dangersIn(rules, namespace)).toEqual(words.map((word) => expect.stringMatching(word)))
})

describe('a namespace of the cluster', () => {
  test.each(
    'kube-system openshift openshift-monitoring cattle-system cattle-fleet-local-system fleet-default gke-managed-system gmp-public aks-istio-system amazon-cloudwatch aws-observability vmware-system-csi k0s-autopilot ibm-system azure-arc'.split(
      ' ',
    ),
  )('is %s', (name) => expect(isClusters(name)).toBe(true))
  test.each('kubeapps cattle fleeting gkeeper openshiftish default ingress-nginx monitoring team-a'.split(' '))(
    'is not %s',
    (name) => expect(isClusters(name)).toBe(false),
  )
})
