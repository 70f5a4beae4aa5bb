import { filtered, holding, inPlace, type Policies, role } from '../http/policy.ts'
import type { clusters } from './endpoints.ts'
import type { log } from './logs.ts'
import type { clusterRules } from './rules.ts'
import type { scaling } from './scaling.ts'

const seesClusters = role('clusters', 'clusters.view')
const views = holding(seesClusters)
const viewsApp = inPlace('app', 'params.id', 'app.view')

export const clusterPolicies: Policies<typeof clusters> = {
  // Beside each app and space stands the name of its cluster.
  names: filtered('space.view', seesClusters),
  list: views,
  get: views,
  create: holding(role('clusters', 'clusters.create')),
  update: holding(role('clusters', 'clusters.edit')),
  remove: holding(role('clusters', 'clusters.delete'), role('clusters', 'clusters.deregister')),
  // Those about spaces that the caller does not see are left out, unless they edit clusters.
  events: holding(role('clusters', 'clusters.events.view')),
  nodes: views,
  healthCheck: views,
  // The form of an installation and of an upgrade asks for what the cluster offers.
  storageClasses: inPlace('cluster', 'params.id', ['space.deploy', 'app.manage'], { orRole: [seesClusters] }),
  registrySecrets: inPlace('space', 'params.spaceId', ['space.deploy', 'app.manage']),
  overview: viewsApp,
  pods: viewsApp,
  deployments: viewsApp,
  pvcs: viewsApp,
  services: viewsApp,
  serviceAccounts: viewsApp,
  appEvents: viewsApp,
  deletePod: inPlace('app', 'params.appId', 'app.manage'),
}

export const logPolicies: Policies<typeof log> = {
  appLog: viewsApp,
  podLog: viewsApp,
  spaceLog: inPlace('space', 'params.id', 'app.view'),
}

const editsClusters = holding(role('clusters', 'clusters.edit'))
/** A request names a space and its apps: it is seen by those who see these, and by cluster editors, who answer it. */
const seesApprovals = filtered('app.view', role('clusters', 'clusters.edit'))

export const clusterRulePolicies: Policies<typeof clusterRules> = {
  listRules: views,
  addRule: editsClusters,
  removeRule: editsClusters,
  listApprovals: seesApprovals,
  getApproval: seesApprovals,
  answerApproval: editsClusters,
  withdrawApproval: filtered('app.view'),
  endApproval: editsClusters,
  // The same: only spaces that the caller sees, and names of apps in those where they see apps.
  listSpacesOn: views,
  elevationOfSpace: inPlace('space', 'params.id', 'space.view'),
  changeSpaceOn: editsClusters,
}

const managesApp = inPlace('app', 'body.appId', 'app.manage')

export const scalingPolicies: Policies<typeof scaling> = {
  limitsOfApp: viewsApp,
  setLimits: managesApp,
  scale: managesApp,
  restart: managesApp,
  nodePools: views,
  resize: editsClusters,
}
