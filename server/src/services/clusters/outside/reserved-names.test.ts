import { expect, it } from 'vitest'
import { isNameOfPortal, isReservedName } from './reserved-names.ts'

it.each([
  ...['cluster-admin', 'admin', 'edit', 'view', 'quayside:manager', 'quayside:action:1', 'quayside-deployer'],
  ...[
    'system:node',
    'system:masters',
    'system:kube-scheduler',
    'system:controller:job-controller',
    'system:kubelet-api',
  ],
  ...['system:aggregate-to-view', 'system::leader-locking-x', 'system:image-puller', 'system:deployer', 'system:k3s-x'],
  ...['system:service-account-issuer-discovery', 'system:gke-common-webhooks', 'system:azure-cloud-provider'],
])('%s is a name of the cluster or of the portal', (name) => {
  expect(isReservedName(name)).toBe(true)
})

it.each([
  ...['system:metrics-server', 'system:my-metrics-server-aggregated-reader', 'system:aggregated-metrics-reader'],
  ...['system:vpa-actor', 'viewer', 'my-admin', 'quaysider', 'web'],
])('%s may be the name of a role of a chart', (name) => {
  expect(isReservedName(name)).toBe(false)
})

it('names of the portal are its own in every namespace, and those of Kubernetes are not', () => {
  expect(['quayside:action:1', 'quayside-deployer', 'system:node', 'view'].map(isNameOfPortal)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
