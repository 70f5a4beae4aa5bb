import type { cluster, log } from '@quayside/contract/cluster'
import { type Policies, role } from '../../kernel/policy.ts'

const view = role('clusters', 'clusters.view')
const viewApps = role('catalog-apps', 'catalog.deployments.view')

export const policies: Policies<typeof cluster> = {
  // Who deploys chooses a cluster by its name.
  names: role('clusters', 'clusters.view', { section: 'catalog-apps', role: 'catalog.deploy' }),
  list: view,
  get: view,
  create: role('clusters', 'clusters.create'),
  update: role('clusters', 'clusters.edit'),
  remove: role('clusters', 'clusters.delete', { section: 'clusters', role: 'clusters.deregister' }),
  events: role('clusters', 'clusters.events.view'),
  nodes: view,
  healthCheck: view,
  storageClasses: role('clusters', 'clusters.view', { section: 'catalog-apps', role: 'catalog.deploy' }),
  registrySecrets: role('clusters', 'clusters.view', { section: 'catalog-apps', role: 'catalog.deploy' }),
  kubeconfig: role('catalog-apps', 'catalog.deployments.view', { section: 'catalog-apps', role: 'catalog.deploy' }),
  overview: viewApps,
  pods: viewApps,
  deployments: viewApps,
  pvcs: viewApps,
  services: viewApps,
  serviceAccounts: viewApps,
  appEvents: viewApps,
  deletePod: role('catalog-apps', 'catalog.deployments.manage'),
}

export const logPolicies: Policies<typeof log> = { podLog: viewApps }
