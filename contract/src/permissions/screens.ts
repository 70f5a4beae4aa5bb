import type { DashboardScope } from '../dashboards/rules.ts'
import { role } from '../http/policy.ts'
import type { Needs } from './can.ts'
import type { RoleRef } from './roles.ts'
import type { Scope } from './scopes.ts'

/** Where the scopes of a page come from. */
const scopeSources = ['APP', 'SPACE', 'DASHBOARD'] as const
export type ScopeSource = (typeof scopeSources)[number]

/** A page and what its route asks for before it opens. Whoever is signed in may open the rest. */
export interface Screen {
  /** Path in the router, without the prefix /en/. */
  route: string
  name: string
  expectedRoles?: readonly RoleRef[]
  requiredScopes?: readonly (Scope | DashboardScope)[]
  scopesSourceType?: ScopeSource
}

const access = (section: RoleRef['section']) => [role(section, 'access')]

const pages = [
  { route: 'home', name: 'Home' },
  { route: 'apps', name: 'Apps', expectedRoles: access('apps') },
  {
    route: 'apps/$appId',
    name: 'App',
    expectedRoles: access('apps'),
    requiredScopes: ['app.view'],
    scopesSourceType: 'APP',
  },
  { route: 'cloud-automation', name: 'Cloud automation', expectedRoles: access('apps') },
  { route: 'cloud-automation/$actionId', name: 'Action', expectedRoles: access('apps') },
  { route: 'spaces', name: 'Spaces', expectedRoles: access('spaces') },
  {
    route: 'spaces/$spaceId/overview',
    name: 'Space',
    expectedRoles: access('spaces'),
    requiredScopes: ['space.view'],
    scopesSourceType: 'SPACE',
  },
  { route: 'dashboards', name: 'Dashboards', expectedRoles: access('dashboards') },
  {
    route: 'dashboards/$dashboardId',
    name: 'Dashboard',
    expectedRoles: access('dashboards'),
    requiredScopes: ['dashboard.view'],
    scopesSourceType: 'DASHBOARD',
  },
  { route: 'catalog/apps', name: 'Catalog', expectedRoles: access('catalog-apps') },
  { route: 'catalog/apps/$itemId', name: 'Catalog item', expectedRoles: access('catalog-apps') },
  { route: 'catalog/apps/sources/$sourceId', name: 'Catalog source', expectedRoles: access('catalog-apps') },
  { route: 'clusters', name: 'Clusters', expectedRoles: access('clusters') },
  { route: 'clusters/$clusterId', name: 'Cluster', expectedRoles: access('clusters') },
  { route: 'users', name: 'Users', expectedRoles: access('iam-users') },
  { route: 'users/$userId', name: 'User', expectedRoles: access('iam-users') },
  { route: 'users/service-accounts', name: 'Service accounts', expectedRoles: access('iam-users') },
  { route: 'users/clients/$clientId', name: 'Client', expectedRoles: access('iam-users') },
  { route: 'groups', name: 'Groups', expectedRoles: access('iam-groups') },
  { route: 'roles', name: 'Roles', expectedRoles: access('iam-roles') },
  { route: 'roles/$roleId', name: 'Role', expectedRoles: access('iam-roles') },
  { route: 'policies', name: 'Policies', expectedRoles: access('iam-policies') },
  { route: 'login-settings', name: 'Login Settings', expectedRoles: access('iam-loginsettings') },
  { route: 'account', name: 'Account' },
] as const satisfies readonly Screen[]
/** The path of a page in the router, without the prefix /en/. */
export type ScreenRoute = (typeof pages)[number]['route']
/** Every page of the portal. The role `access` opens a section and shows nothing by itself. */
export const screens: readonly (Screen & { route: ScreenRoute })[] = pages

/** Entries of the navigation without a page in this version; each is shown to who holds `access` on its section. */
export const absentScreens: readonly Screen[] = [
  { route: 'catalog/nodes', name: 'Nodes', expectedRoles: access('catalog-nodes') },
  { route: 'catalog/flows', name: 'Flows', expectedRoles: access('catalog-flows') },
]

/** A button, a toggle or a tab, and what shows it. */
export interface Control extends Needs {
  name: string
  /** Routes of the pages on which it stands; wizards count as parts of the pages that open them. */
  on: readonly ScreenRoute[]
}

const catalogPages = ['catalog/apps', 'catalog/apps/$itemId'] as const
const appPages = ['apps', 'apps/$appId'] as const
const spacePages = ['spaces', 'spaces/$spaceId/overview'] as const
const clusterPages = ['clusters', 'clusters/$clusterId'] as const
const actionPages = ['cloud-automation', 'cloud-automation/$actionId', 'apps/$appId'] as const
const deployPages = [...catalogPages, 'spaces/$spaceId/overview', 'apps', 'apps/$appId'] as const
const manages = { anyScope: ['app.manage'] } as const satisfies Partial<Control>
const deploys = { anyScope: ['space.deploy'] } as const satisfies Partial<Control>
// The first one is what a person who has neither is told about.
const works = { anyScope: ['space.deploy', 'app.manage'] } as const satisfies Partial<Control>
const publishes = { anyRole: [role('catalog-apps', 'catalog.publish')] } as const satisfies Partial<Control>
const keepsLinks = { anyRole: [role('apps', 'apps.create')] } as const satisfies Partial<Control>
const editsSignIn = { anyRole: [role('iam-loginsettings', 'loginsettings.edit')] } as const satisfies Partial<Control>
const accountPages = ['users/$userId', 'users/clients/$clientId'] as const
const rolePages = ['roles/$roleId', 'users/clients/$clientId'] as const
const editsCluster = { anyRole: [role('clusters', 'clusters.edit')] } as const satisfies Partial<Control>

/** Every control that a right opens. The browser asks for each by its name here, and explains by the same name. */
export const controls = {
  'catalog.items': { name: 'Items of the catalog', on: ['home'], anyRole: [role('catalog-apps', 'catalog.view')] },
  'catalog.upload': { name: 'Upload a package', on: ['catalog/apps'], ...publishes },
  'catalog.feature': { name: 'Feature an item', on: catalogPages, ...publishes },
  'catalog.delete': { name: 'Delete an item', on: catalogPages, ...publishes },
  'catalog.sources': {
    name: 'Sources of the catalog',
    on: ['catalog/apps', 'catalog/apps/sources/$sourceId'],
    ...publishes,
  },
  'app.deploy': { name: 'Deploy', on: deployPages, ...deploys },
  'values.yaml': {
    name: 'Form/YAML toggle',
    on: deployPages,
    anyRole: [role('catalog-apps', 'catalog.apps.deploy.infrastructure.yaml')],
  },
  'app.upgrade': { name: 'Upgrade', on: appPages, ...manages },
  'app.rollback': { name: 'Roll back', on: appPages, ...manages },
  'app.repair': { name: 'Repair a stuck release', on: ['apps/$appId', 'cloud-automation'], ...manages },
  'app.delete': { name: 'Delete an app', on: appPages, ...manages },
  'app.delete-assigned': { name: 'Delete an app that was never deployed', on: appPages, ...works },
  'app.settings': { name: 'Settings of an app', on: ['apps/$appId'], ...manages },
  'app.settings-assigned': { name: 'Settings of an app that was never deployed', on: ['apps/$appId'], ...works },
  'app.delete-pod': { name: 'Delete a pod', on: ['apps/$appId'], ...manages },
  'app.scale': { name: 'Scale, restart and set limits of a workload', on: ['apps/$appId'], ...manages },
  'app.secrets': { name: 'Manifests of Secrets, environment of pods', on: ['apps/$appId'], anyScope: ['app.secrets'] },
  'app-link.create': { name: 'New app link', on: ['apps'], ...keepsLinks },
  'app-link.edit': { name: 'Edit an app link', on: ['apps'], ...keepsLinks },
  'app-link.delete': { name: 'Delete an app link', on: ['apps'], ...keepsLinks },
  'action.cancel': { name: 'Cancel or abort an action', on: actionPages, ...manages },
  'audit.see': { name: 'Audit log', on: ['cloud-automation'], anyRole: [role('iam-loginsettings', 'audit.view')] },
  'action.cancel-deployment': {
    name: 'Cancel or abort a first deployment, or the deletion of an app that was never deployed',
    on: actionPages,
    ...works,
  },
  'action.retry': { name: 'Try an action again', on: actionPages, ...manages },
  'action.retry-deployment': { name: 'Try a first deployment again', on: actionPages, ...deploys },
  'dashboard.add-widget': { name: 'Add a panel to the library', on: ['dashboards/$dashboardId'], ...keepsLinks },
  'dashboard.remove-widget': {
    name: 'Remove a panel from the library',
    on: ['dashboards/$dashboardId'],
    anyRole: [role('apps', 'apps.create'), role('catalog-apps', 'catalog.publish')],
  },
  'dashboard.configurations': { name: 'Settings that panels refer to', on: ['dashboards'], ...keepsLinks },
  'dashboard.take-over': {
    name: 'Take over a dashboard that nobody manages any more',
    on: ['dashboards'],
    anyRole: [role('spaces', 'spaces.manage')],
  },
  'space.create': { name: 'New space', on: ['spaces'], anyRole: [role('apps', 'apps.create')] },
  'space.edit': { name: 'Edit a space', on: spacePages, anyScope: ['space.edit'] },
  'space.delete': { name: 'Delete a space', on: spacePages, anyScope: ['space.delete'] },
  'space.members': {
    name: 'Members and permissions of a space',
    on: ['spaces/$spaceId/overview'],
    anyScope: ['space.members'],
  },
  'space.kubeconfigs': {
    name: 'Kubeconfigs that reach a space',
    on: ['spaces/$spaceId/overview'],
    anyScope: ['space.members'],
  },
  'space.logs': { name: 'Logs of all apps of a space', on: ['spaces/$spaceId/overview'], anyScope: ['app.view'] },
  'space.metrics': {
    name: 'CPU and memory of a space and its pods',
    on: ['spaces/$spaceId/overview'],
    anyScope: ['app.view'],
  },
  'space.owners': {
    name: 'Make somebody an owner of a space',
    on: ['spaces/$spaceId/overview'],
    anyScope: ['space.delete'],
  },
  'space.kubeconfig': {
    name: 'Download kubeconfig',
    on: ['spaces/$spaceId/overview', 'account'],
    anyScope: ['app.view'],
  },
  'space-roles.define': { name: 'Define roles for spaces', on: ['spaces'], anyRole: [role('spaces', 'spaces.manage')] },
  'cluster.add': { name: 'Add a cluster', on: ['clusters'], anyRole: [role('clusters', 'clusters.create')] },
  'cluster.remove': {
    name: 'Deregister a cluster',
    on: [...clusterPages, 'cloud-automation'],
    anyRole: [role('clusters', 'clusters.deregister'), role('clusters', 'clusters.delete')],
  },
  'cluster.resize': { name: 'Resize a node pool', on: ['clusters/$clusterId'], ...editsCluster },
  'cluster.rules': { name: 'List of what charts may make on a cluster', on: ['clusters/$clusterId'], ...editsCluster },
  'cluster.approvals': { name: 'Answer and end approvals', on: ['clusters/$clusterId'], ...editsCluster },
  'cluster.isolation': { name: 'Isolation of spaces on a cluster', on: ['clusters/$clusterId'], ...editsCluster },
  'cluster.kubeconfigs': { name: 'Kubeconfigs that reach a cluster', on: ['clusters/$clusterId'], ...editsCluster },
  'cluster.events': {
    name: 'Events of a cluster',
    on: ['clusters/$clusterId'],
    anyRole: [role('clusters', 'clusters.events.view')],
  },
  'roles.requests': {
    name: 'Requests for roles of the tenant',
    on: ['users'],
    anyRole: [role('iam-users', 'users.roles.manage')],
  },
  'users.unlock': {
    name: 'Let somebody sign in again who was locked out',
    on: ['users'],
    anyRole: [role('iam-users', 'users.edit')],
  },
  'user.create': { name: 'New user', on: ['users'], anyRole: [role('iam-users', 'users.create')] },
  'user.edit': {
    name: 'Edit a user, disable, enable, sign out everywhere',
    on: ['users/$userId'],
    anyRole: [role('iam-users', 'users.edit')],
  },
  'user.delete': { name: 'Delete a user', on: ['users/$userId'], anyRole: [role('iam-users', 'users.delete')] },
  'user.see-attributes': {
    name: 'Attributes of a user',
    on: ['users/$userId'],
    anyRole: [role('iam-users', 'users.attributes.view')],
  },
  'user.attributes': {
    name: 'Change attributes of a user',
    on: ['users/$userId'],
    anyRole: [role('iam-users', 'users.attributes.manage')],
  },
  'user.see-credentials': {
    name: 'Credentials of a user',
    on: ['users/$userId'],
    anyRole: [role('iam-users', 'users.credentials.view')],
  },
  'user.credentials': {
    name: 'Set a password, remove a credential, a linked account or a personal token, mail or copy a link for actions',
    on: ['users/$userId'],
    anyRole: [role('iam-users', 'users.credentials.manage')],
  },
  'user.see-roles': {
    name: 'Roles of a user',
    on: accountPages,
    anyRole: [role('iam-users', 'users.roles.view')],
  },
  'user.roles': {
    name: 'Assign roles to a user',
    on: accountPages,
    anyRole: [role('iam-users', 'users.roles.manage')],
  },
  'user.see-groups': {
    name: 'Groups of a user',
    on: ['users/$userId'],
    anyRole: [role('iam-users', 'users.groups.view')],
  },
  'user.groups': {
    name: 'Add a user to groups',
    on: ['users/$userId'],
    anyRole: [role('iam-users', 'users.groups.manage')],
  },
  'user.see-sessions': {
    name: 'Sessions of a user',
    on: ['users/$userId'],
    anyRole: [role('iam-users', 'users.sessions.view')],
  },
  'user.see-consents': {
    name: 'Consents of a user',
    on: ['users/$userId'],
    anyRole: [role('iam-users', 'users.consents.view')],
  },
  'group.create': { name: 'New group', on: ['groups'], anyRole: [role('iam-groups', 'groups.create')] },
  'group.edit': { name: 'Edit and move a group', on: ['groups'], anyRole: [role('iam-groups', 'groups.edit')] },
  'group.delete': { name: 'Delete a group', on: ['groups'], anyRole: [role('iam-groups', 'groups.delete')] },
  'group.see-attributes': {
    name: 'Attributes of a group',
    on: ['groups'],
    anyRole: [role('iam-groups', 'groups.attributes.view')],
  },
  'group.attributes': {
    name: 'Change attributes of a group',
    on: ['groups'],
    anyRole: [role('iam-groups', 'groups.attributes.manage')],
  },
  'group.see-defaults': {
    name: 'Groups of every new user',
    on: ['groups'],
    anyRole: [role('iam-groups', 'groups.default_groups.view')],
  },
  'group.defaults': {
    name: 'Put every new user into a group',
    on: ['groups'],
    anyRole: [role('iam-groups', 'groups.default_groups.manage')],
  },
  'role.create': {
    name: 'New role',
    on: ['roles', 'users/clients/$clientId'],
    anyRole: [role('iam-roles', 'roles.create')],
  },
  'role.edit': {
    name: 'Edit a role and the roles inside of it',
    on: rolePages,
    anyRole: [role('iam-roles', 'roles.edit')],
  },
  'role.delete': { name: 'Delete a role', on: rolePages, anyRole: [role('iam-roles', 'roles.delete')] },
  'role.see-attributes': {
    name: 'Attributes of a role',
    on: ['roles/$roleId'],
    anyRole: [role('iam-roles', 'roles.attributes.view')],
  },
  'role.attributes': {
    name: 'Change attributes of a role',
    on: ['roles/$roleId'],
    anyRole: [role('iam-roles', 'roles.attributes.manage')],
  },
  'role.see-defaults': {
    name: 'Roles of every user',
    on: ['roles', 'users/clients/$clientId'],
    anyRole: [role('iam-roles', 'roles.default_roles.view')],
  },
  'role.defaults': {
    name: 'Give roles to every user',
    on: ['roles', 'users/clients/$clientId'],
    anyRole: [role('iam-roles', 'roles.default_roles.manage')],
  },
  'group.see-roles': {
    name: 'Roles of a group',
    on: ['groups'],
    anyRole: [role('iam-groups', 'groups.roles.view')],
  },
  'group.roles': {
    name: 'Assign roles to a group',
    on: ['groups'],
    anyRole: [role('iam-groups', 'groups.roles.manage')],
  },
  'script.create': {
    name: 'New service account',
    on: ['users/service-accounts'],
    anyRole: [role('iam-users', 'users.create')],
  },
  'script.delete': {
    name: 'Delete a service account',
    on: ['users/service-accounts'],
    anyRole: [role('iam-users', 'users.delete')],
  },
  'client.create': { name: 'Register an application', on: ['users/service-accounts'], ...editsSignIn },
  'client.edit': { name: 'Edit, disable and enable a client', on: ['users/clients/$clientId'], ...editsSignIn },
  'client.delete': { name: 'Delete an application', on: ['users/clients/$clientId'], ...editsSignIn },
  'client.secret': {
    name: 'Give a client another secret',
    on: ['users/clients/$clientId'],
    anyRole: [role('iam-users', 'users.credentials.manage')],
  },
  'client.see-sessions': {
    name: 'Who is signed in with a client',
    on: ['users/clients/$clientId'],
    anyRole: [role('iam-users', 'users.sessions.view')],
  },
  'password-policy.edit': {
    name: 'Change the password policy',
    on: ['policies'],
    anyRole: [role('iam-policies', 'policies.edit')],
  },
  'one-time-codes.edit': {
    name: 'Change how one-time codes are made',
    on: ['policies'],
    anyRole: [role('iam-policies', 'policies.edit')],
  },
  'events.see-sign-ins': {
    name: 'Sign-ins of people, and what they did with their accounts',
    on: ['login-settings', 'users/$userId'],
    anyRole: [role('iam-users', 'users.sessions.view')],
  },
  'events.see-changes': {
    name: 'Changes of the realm, its people and clients',
    on: ['login-settings'],
    anyRole: [role('iam-loginsettings', 'loginsettings.view')],
  },
  'events.settings': { name: 'Set which events are kept', on: ['login-settings'], ...editsSignIn },
  'webhooks.manage': { name: 'Webhooks of the tenant', on: ['cloud-automation'], ...editsSignIn },
  'login-settings.edit': {
    name: 'Change login settings, personal tokens, brute force detection and security headers',
    on: ['login-settings'],
    anyRole: [role('iam-loginsettings', 'loginsettings.edit')],
  },
  'identity-providers.edit': {
    name: 'Add, change, test and delete identity providers and their mappings',
    on: ['login-settings'],
    ...editsSignIn,
  },
  'mail.edit': {
    name: 'Change e-mail settings, send a test and mails that were kept',
    on: ['login-settings'],
    anyRole: [role('iam-loginsettings', 'loginsettings.edit')],
  },
  'mail.read': {
    name: 'Read a mail of the outbox with its link',
    on: ['login-settings'],
    anyRole: [role('iam-users', 'users.credentials.manage')],
  },
} as const satisfies Record<string, Control>
export type ControlId = keyof typeof controls
