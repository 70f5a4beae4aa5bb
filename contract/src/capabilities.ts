import { currency } from './account/currency.ts'
import { account } from './account/endpoints.ts'
import { accountPolicies, currencyPolicies } from './account/policies.ts'
import { appLinks } from './app-links/endpoints.ts'
import { appLinkPolicies } from './app-links/policies.ts'
import { appLinkTopics } from './app-links/topics.ts'
import { apps } from './apps/endpoints.ts'
import { appPlaces } from './apps/places.ts'
import { appPolicies } from './apps/policies.ts'
import { appTopics } from './apps/topics.ts'
import { audit } from './audit/endpoints.ts'
import { auditPolicies } from './audit/policies.ts'
import { catalog } from './catalog/endpoints.ts'
import { catalogPolicies, catalogSourcePolicies } from './catalog/policies.ts'
import { catalogSources } from './catalog/sources.ts'
import { catalogTopics } from './catalog/topics.ts'
import { clientAdministration } from './clients/administration.ts'
import { clients } from './clients/endpoints.ts'
import { clientAdministrationPolicies, clientPolicies } from './clients/policies.ts'
import { clusters } from './clusters/endpoints.ts'
import { kubeconfigPolicies } from './clusters/kubeconfig-policies.ts'
import { kubeconfigs } from './clusters/kubeconfigs.ts'
import { log } from './clusters/logs.ts'
import { clusterPlaces } from './clusters/places.ts'
import { clusterPolicies, clusterRulePolicies, logPolicies, scalingPolicies } from './clusters/policies.ts'
import { clusterRules } from './clusters/rules.ts'
import { scaling } from './clusters/scaling.ts'
import { clusterTopics } from './clusters/topics.ts'
import { dashboards } from './dashboards/endpoints.ts'
import { dashboardHome } from './dashboards/home.ts'
import { dashboardLibrary } from './dashboards/library.ts'
import { dashboardPermissions } from './dashboards/permission-list.ts'
import {
  dashboardHomePolicies,
  dashboardLibraryPolicies,
  dashboardPermissionPolicies,
  dashboardPolicies,
  dashboardQueryPolicies,
} from './dashboards/policies.ts'
import { dashboardQuery } from './dashboards/query.ts'
import { dashboardTopics } from './dashboards/topics.ts'
import { deployments } from './deployments/endpoints.ts'
import { ledger } from './deployments/ledger.ts'
import { deploymentPlaces } from './deployments/places.ts'
import { deploymentPolicies, ledgerPolicies, presetPolicies } from './deployments/policies.ts'
import { presets } from './deployments/presets.ts'
import { deploymentTopics } from './deployments/topics.ts'
import { events } from './events/endpoints.ts'
import { eventPolicies } from './events/policies.ts'
import { defaultGroups, groups } from './groups/endpoints.ts'
import { defaultGroupPolicies, groupPolicies } from './groups/policies.ts'
import type { Endpoint } from './http/endpoint.ts'
import { basePaths } from './http/path.ts'
import type { PlaceKind, PlaceRule, Places } from './http/place.ts'
import type { Policies, Policy } from './http/policy.ts'
import { identityProviders } from './identity-providers/endpoints.ts'
import { identityProviderPolicies } from './identity-providers/policies.ts'
import type { TopicRule, Topics } from './live/topic-rule.ts'
import { mail } from './mail/endpoints.ts'
import { mailPolicies } from './mail/policies.ts'
import { metrics } from './metrics/endpoints.ts'
import { metricsPolicies } from './metrics/policies.ts'
import { notifications } from './notifications/endpoints.ts'
import { notificationPolicies } from './notifications/policies.ts'
import { notificationTopics } from './notifications/topics.ts'
import { accessRequests } from './permissions/access-requests.ts'
import { permissions } from './permissions/endpoints.ts'
import { explaining } from './permissions/explain.ts'
import { permissionPlaces } from './permissions/places.ts'
import {
  accessRequestPolicies,
  explainPolicies,
  permissionPolicies,
  roleRequestPolicies,
} from './permissions/policies.ts'
import { roleRequests } from './permissions/role-requests.ts'
import { permissionTopics } from './permissions/topics.ts'
import { personalTokens } from './personal-tokens/endpoints.ts'
import { personalTokenPolicies } from './personal-tokens/policies.ts'
import { realms } from './realms/endpoints.ts'
import { realmPolicies } from './realms/policies.ts'
import {
  groupClientRoles,
  groupRealmRoles,
  heldRolesOf,
  userClientRoles,
  userRealmRoles,
} from './role-mappings/endpoints.ts'
import { groupRolePolicies, heldRolePolicies, userRolePolicies } from './role-mappings/policies.ts'
import { clientRoles } from './roles/client-roles.ts'
import { defaultRoles, roles } from './roles/endpoints.ts'
import { clientRolePolicies, defaultRolePolicies, rolePolicies } from './roles/policies.ts'
import { sidebar } from './sidebar/endpoints.ts'
import { sidebarPolicies } from './sidebar/policies.ts'
import { sidebarTopics } from './sidebar/topics.ts'
import { spaces } from './spaces/endpoints.ts'
import { spacePlaces } from './spaces/places.ts'
import { spacePolicies } from './spaces/policies.ts'
import { spaceTopics } from './spaces/topics.ts'
import { tenants } from './tenants/endpoints.ts'
import { tenantPolicies } from './tenants/policies.ts'
import { credentials } from './users/credentials.ts'
import { users } from './users/endpoints.ts'
import { lockouts } from './users/lockouts.ts'
import { credentialPolicies, lockoutPolicies, userPolicies } from './users/policies.ts'
import { webhooks } from './webhooks/endpoints.ts'
import { webhookPolicies } from './webhooks/policies.ts'
import { webhookTopics } from './webhooks/topics.ts'

/** A call of a capability with who may make it. */
interface Call {
  key: string
  endpoint: Endpoint
  policy: Policy
  /** `GET /portal-api/v2/apps` */
  address: string
}

function guarded<E extends Record<string, Endpoint>>(endpoints: E, policies: Policies<E>): Call[] {
  return Object.keys(endpoints).map((key) => {
    const endpoint = endpoints[key] as Endpoint
    const address = `${endpoint.method} ${basePaths[endpoint.service]}${endpoint.path}`
    return { key, endpoint, policy: policies[key] as Policy, address }
  })
}

function capability<N extends string, T extends Topics = Record<never, never>>(
  name: N,
  calls: readonly Call[],
  topics: T = {} as T,
  places: Places = {},
) {
  return { name, calls, topics, places }
}

/**
 * Everything that both sides promise each other, by capability. A capability has the same name on its three sides:
 * `contract/src/<name>`, `server/src/services/<name>` and `web/src/features/<name>`. The server is held to this list,
 * the page of permissions is written from it, and every call of it is tried as everybody.
 */
export const capabilities = [
  capability('tenants', guarded(tenants, tenantPolicies)),
  capability('spaces', guarded(spaces, spacePolicies), spaceTopics, spacePlaces),
  capability('apps', guarded(apps, appPolicies), appTopics, appPlaces),
  capability('app-links', guarded(appLinks, appLinkPolicies), appLinkTopics),
  capability(
    'permissions',
    [
      ...guarded(permissions, permissionPolicies),
      ...guarded(accessRequests, accessRequestPolicies),
      ...guarded(roleRequests, roleRequestPolicies),
      ...guarded(explaining, explainPolicies),
    ],
    permissionTopics,
    permissionPlaces,
  ),
  capability('sidebar', guarded(sidebar, sidebarPolicies), sidebarTopics),
  capability(
    'catalog',
    [...guarded(catalog, catalogPolicies), ...guarded(catalogSources, catalogSourcePolicies)],
    catalogTopics,
  ),
  capability(
    'clusters',
    [
      ...guarded(clusters, clusterPolicies),
      ...guarded(kubeconfigs, kubeconfigPolicies),
      ...guarded(clusterRules, clusterRulePolicies),
      ...guarded(scaling, scalingPolicies),
      ...guarded(log, logPolicies),
    ],
    clusterTopics,
    clusterPlaces,
  ),
  capability(
    'deployments',
    [
      ...guarded(deployments, deploymentPolicies),
      ...guarded(ledger, ledgerPolicies),
      ...guarded(presets, presetPolicies),
    ],
    deploymentTopics,
    deploymentPlaces,
  ),
  capability('metrics', guarded(metrics, metricsPolicies)),
  capability(
    'dashboards',
    [
      ...guarded(dashboards, dashboardPolicies),
      ...guarded(dashboardPermissions, dashboardPermissionPolicies),
      ...guarded(dashboardLibrary, dashboardLibraryPolicies),
      ...guarded(dashboardHome, dashboardHomePolicies),
      ...guarded(dashboardQuery, dashboardQueryPolicies),
    ],
    dashboardTopics,
  ),
  capability('account', [...guarded(account, accountPolicies), ...guarded(currency, currencyPolicies)]),
  capability('personal-tokens', guarded(personalTokens, personalTokenPolicies)),
  capability('users', [
    ...guarded(users, userPolicies),
    ...guarded(credentials, credentialPolicies),
    ...guarded(lockouts, lockoutPolicies),
  ]),
  capability('mail', guarded(mail, mailPolicies)),
  capability('groups', [...guarded(groups, groupPolicies), ...guarded(defaultGroups, defaultGroupPolicies)]),
  capability('roles', [
    ...guarded(roles, rolePolicies),
    ...guarded(defaultRoles, defaultRolePolicies),
    ...guarded(clientRoles, clientRolePolicies),
  ]),
  capability('role-mappings', [
    ...guarded(userRealmRoles, userRolePolicies),
    ...guarded(userClientRoles, userRolePolicies),
    ...guarded(groupRealmRoles, groupRolePolicies),
    ...guarded(groupClientRoles, groupRolePolicies),
    ...guarded(heldRolesOf, heldRolePolicies),
  ]),
  capability('clients', [
    ...guarded(clients, clientPolicies),
    ...guarded(clientAdministration, clientAdministrationPolicies),
  ]),
  capability('realms', guarded(realms, realmPolicies)),
  capability('identity-providers', guarded(identityProviders, identityProviderPolicies)),
  capability('events', guarded(events, eventPolicies)),
  capability('audit', guarded(audit, auditPolicies)),
  capability('notifications', guarded(notifications, notificationPolicies), notificationTopics),
  capability('webhooks', guarded(webhooks, webhookPolicies), webhookTopics),
] as const

type Capability = (typeof capabilities)[number]
export type CapabilityName = Capability['name']

/** A served call with who may make it, and whose it is. */
export interface GuardedCall extends Call {
  capability: CapabilityName
}

/** Every call that the portal serves. */
export const guardedCalls: readonly GuardedCall[] = capabilities.flatMap(({ name, calls }) =>
  calls.map((call) => ({ ...call, capability: name })),
)

type NameOfTopic<C> = C extends { topics: infer T } ? keyof T & string : never
export type TopicName = NameOfTopic<Capability>

/** Every topic of the live connection with its rules. */
export const topicRules: Readonly<Record<TopicName, TopicRule>> = Object.assign(
  {},
  ...capabilities.map(({ topics }) => topics),
)

/** Every kind of things that calls and topics name by id, with its rules. */
export const placeRules: Readonly<Record<PlaceKind, PlaceRule>> = Object.assign(
  {},
  ...capabilities.map(({ places }) => places),
)
