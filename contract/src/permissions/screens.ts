import { role } from '../http/policy.ts'
import type { Needs } from './can.ts'
import type { RoleRef } from './roles.ts'
import type { Scope } from './scopes.ts'

/** Where the scopes of a page come from (section 6). */
const scopeSources = ['APP', 'SPACE', 'DASHBOARD'] as const
export type ScopeSource = (typeof scopeSources)[number]

/** A page and what its route asks for before it opens (section 2.1). Whoever is signed in may open the rest. */
export interface Screen {
  /** Path in the router, without the prefix /en/. */
  route: string
  name: string
  expectedRoles?: readonly RoleRef[]
  requiredScopes?: readonly Scope[]
  scopesSourceType?: ScopeSource
}

const access = (section: RoleRef['section']) => [role(section, 'access')]

/** Every page of the portal. The role `access` opens a section and shows nothing by itself. */
export const screens: readonly Screen[] = [
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
  { route: 'catalog/apps', name: 'Catalog', expectedRoles: access('catalog-apps') },
  { route: 'catalog/apps/$itemId', name: 'Catalog item', expectedRoles: access('catalog-apps') },
  { route: 'clusters', name: 'Clusters', expectedRoles: access('clusters') },
  { route: 'clusters/$clusterId', name: 'Cluster', expectedRoles: access('clusters') },
  { route: 'users', name: 'Users', expectedRoles: access('iam-users') },
  { route: 'users/service-accounts', name: 'Service accounts', expectedRoles: access('iam-users') },
  { route: 'groups', name: 'Groups', expectedRoles: access('iam-groups') },
  { route: 'roles', name: 'Roles', expectedRoles: access('iam-roles') },
  { route: 'account', name: 'Account' },
]

/** Entries of the navigation without a page in this version; each is shown to who holds `access` on its section. */
export const absentScreens: readonly Screen[] = [
  { route: 'dashboards', name: 'Dashboards', expectedRoles: access('dashboards') },
  { route: 'catalog/nodes', name: 'Nodes', expectedRoles: access('catalog-nodes') },
  { route: 'catalog/flows', name: 'Flows', expectedRoles: access('catalog-flows') },
  { route: 'policies', name: 'Policies', expectedRoles: access('iam-policies') },
  { route: 'login-settings', name: 'Login Settings', expectedRoles: access('iam-loginsettings') },
]

/** A button, a toggle or a tab, and what shows it. */
export interface Control extends Needs {
  name: string
  /** Routes of the pages on which it stands. */
  on: readonly string[]
}

const catalogPages = ['catalog/apps', 'catalog/apps/$itemId']
const appPages = ['apps', 'apps/$appId']
const spacePages = ['spaces', 'spaces/$spaceId/overview']
const manages = { anyScope: ['app.manage'] } as const satisfies Partial<Control>
const deploys = { anyScope: ['space.deploy'] } as const satisfies Partial<Control>

export const controls = {
  'catalog.upload': {
    name: 'Upload a package',
    on: ['catalog/apps'],
    anyRole: [role('catalog-apps', 'catalog.publish')],
  },
  'catalog.feature': { name: 'Feature an item', on: catalogPages, anyRole: [role('catalog-apps', 'catalog.publish')] },
  'catalog.delete': { name: 'Delete an item', on: catalogPages, anyRole: [role('catalog-apps', 'catalog.publish')] },
  'catalog.deploy': { name: 'Deploy', on: [...catalogPages, 'spaces/$spaceId/overview', 'apps'], ...deploys },
  'values.yaml': {
    name: 'Form/YAML toggle',
    on: catalogPages,
    anyRole: [role('catalog-apps', 'catalog.apps.deploy.infrastructure.yaml')],
  },
  'app.upgrade': { name: 'Upgrade', on: appPages, ...manages },
  'app.rollback': { name: 'Roll back', on: appPages, ...manages },
  'app.repair': { name: 'Repair a stuck release', on: ['apps/$appId'], ...manages },
  'app.delete': { name: 'Delete an app', on: appPages, ...manages },
  'app.delete-assigned': {
    name: 'Delete an app that was never deployed',
    on: appPages,
    anyScope: ['app.manage', 'space.deploy'],
  },
  'app.settings': { name: 'Settings of an app', on: ['apps/$appId'], ...manages },
  'app.delete-pod': { name: 'Delete a pod', on: ['apps/$appId'], ...manages },
  'app.secrets': { name: 'Manifests of Secrets, environment of pods', on: ['apps/$appId'], anyScope: ['app.secrets'] },
  'action.cancel': { name: 'Cancel an action', on: ['cloud-automation'], anyScope: ['app.manage', 'space.deploy'] },
  'action.retry': { name: 'Try an action again', on: ['cloud-automation'], anyScope: ['app.manage', 'space.deploy'] },
  'space.create': { name: 'New space', on: ['spaces'], anyRole: [role('apps', 'apps.create')] },
  'space.edit': { name: 'Edit a space', on: spacePages, anyScope: ['space.edit'] },
  'space.delete': { name: 'Delete a space', on: spacePages, anyScope: ['space.delete'] },
  'space.members': {
    name: 'Members and permissions of a space',
    on: ['spaces/$spaceId/overview'],
    anyScope: ['space.members'],
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
    on: ['clusters', 'clusters/$clusterId'],
    anyRole: [role('clusters', 'clusters.deregister'), role('clusters', 'clusters.delete')],
  },
  'cluster.events': {
    name: 'Events of a cluster',
    on: ['clusters/$clusterId'],
    anyRole: [role('clusters', 'clusters.events.view')],
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
} as const satisfies Record<string, Control>
export type ControlId = keyof typeof controls
