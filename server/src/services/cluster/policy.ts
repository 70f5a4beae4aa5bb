import type { cluster, log } from '@quayside/contract/cluster'
import { type Policies, role } from '../../kernel/policy.ts'

const view = role('clusters', 'clusters.view')
const deploys = { section: 'catalog-apps', role: 'catalog.deploy' } as const
const manages = { section: 'catalog-apps', role: 'catalog.deployments.manage' } as const
const viewApps = role('catalog-apps', 'catalog.deployments.view', deploys, manages)
// The form of an installation and of an upgrade asks for what the cluster offers.
const viewOffer = role('clusters', 'clusters.view', deploys, manages)

export const policies: Policies<typeof cluster> = {
  // Who deploys chooses a cluster by its name, who sees apps sees it beside each.
  names: role('clusters', 'clusters.view', deploys, manages, { section: 'apps', role: 'access' }),
  list: view,
  get: view,
  create: role('clusters', 'clusters.create'),
  update: role('clusters', 'clusters.edit'),
  remove: role('clusters', 'clusters.delete', { section: 'clusters', role: 'clusters.deregister' }),
  events: role('clusters', 'clusters.events.view'),
  nodes: view,
  healthCheck: view,
  storageClasses: viewOffer,
  registrySecrets: viewOffer,
  kubeconfig: role('catalog-apps', 'catalog.deployments.view', deploys),
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
