import type { AuditEntry } from '@quayside/contract/audit/endpoints'
import type { CapabilityName } from '@quayside/contract/capabilities'

export const outcomeWords: Readonly<Record<AuditEntry['outcome'], string>> = {
  done: 'Done',
  refused: 'Refused',
  failed: 'Failed',
  running: 'Running',
  unknown: 'Not known',
}

/** Capabilities with calls that change something, as people call them. */
export const areaWords: Readonly<Partial<Record<CapabilityName, string>>> = {
  apps: 'Apps',
  'app-links': 'App links',
  dashboards: 'Dashboards',
  deployments: 'Deployments',
  spaces: 'Spaces',
  permissions: 'Members and requests',
  catalog: 'Catalog',
  clusters: 'Clusters',
  cost: 'Prices and budgets',
  users: 'Users',
  groups: 'Groups',
  roles: 'Roles',
  'role-mappings': 'Assigned roles',
  clients: 'Clients',
  realms: 'Login settings',
  events: 'Event settings',
  'identity-providers': 'Single sign-on',
  mail: 'E-mail',
  'personal-tokens': 'Personal tokens',
  notifications: 'Own notifications',
  webhooks: 'Webhooks',
  account: 'Own account',
  sidebar: 'Own sidebar',
}
