import { accessRequests } from '../access-requests.ts'
import { catalog } from '../catalog.ts'
import { cluster, log } from '../cluster.ts'
import { clusterRules } from '../cluster-rules.ts'
import { deployment } from '../deployment.ts'
import type { Endpoint } from '../endpoint.ts'
import { explaining } from '../explain.ts'
import { iam } from '../iam.ts'
import { kubeconfigs } from '../kubeconfigs.ts'
import { ledger } from '../ledger.ts'
import { menu } from '../menu.ts'
import { basePaths } from '../path.ts'
import { permissions } from '../permissions.ts'
import type { Policies, Policy } from '../policy.ts'
import { portalApi } from '../portal-api.ts'
import { presets } from '../presets.ts'
import { catalogPolicies } from './catalog.ts'
import { clusterPolicies, clusterRulePolicies, logPolicies } from './cluster.ts'
import { deploymentPolicies, ledgerPolicies, presetPolicies } from './deployment.ts'
import { iamPolicies } from './iam.ts'
import { kubeconfigPolicies } from './kubeconfigs.ts'
import {
  accessRequestPolicies,
  explainPolicies,
  menuPolicies,
  permissionPolicies,
  portalApiPolicies,
} from './portal-api.ts'

/** A served call with who may make it. */
export interface GuardedCall {
  key: string
  endpoint: Endpoint
  policy: Policy
  /** `GET /portal-api/v2/apps` */
  address: string
}

function guarded<E extends Record<string, Endpoint>>(endpoints: E, policies: Policies<E>): GuardedCall[] {
  return Object.keys(endpoints).map((key) => {
    const endpoint = endpoints[key] as Endpoint
    const address = `${endpoint.method} ${basePaths[endpoint.service]}${endpoint.path}`
    return { key, endpoint, policy: policies[key] as Policy, address }
  })
}

/** Every call that the portal serves; the table of permissions is tried against exactly these. */
export const guardedCalls: readonly GuardedCall[] = [
  ...guarded(portalApi, portalApiPolicies),
  ...guarded(permissions, permissionPolicies),
  ...guarded(accessRequests, accessRequestPolicies),
  ...guarded(explaining, explainPolicies),
  ...guarded(menu, menuPolicies),
  ...guarded(catalog, catalogPolicies),
  ...guarded(cluster, clusterPolicies),
  ...guarded(kubeconfigs, kubeconfigPolicies),
  ...guarded(clusterRules, clusterRulePolicies),
  ...guarded(log, logPolicies),
  ...guarded(deployment, deploymentPolicies),
  ...guarded(ledger, ledgerPolicies),
  ...guarded(presets, presetPolicies),
  ...guarded(iam, iamPolicies),
]
