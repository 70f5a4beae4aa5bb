import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { Estimate } from '@quayside/contract/cost/estimate'
import type { Space } from '@quayside/contract/spaces/endpoints'

const at = '2026-01-01T00:00:00.000Z'

export const child: CatalogChild = {
  item: {
    id: 'item1',
    name: 'tank-levels',
    type: 'Flow',
    appKind: 'flow',
    appType: 'Containerized',
    category: 'Industry',
    tags: ['sensors'],
    iconUri: null,
    iconEmbedded: null,
    color: '#1f8a70',
    manufacturer: { id: 'm1', name: 'Harbour Works' },
    displayName: 'Tank levels',
    description: 'Reads tanks',
    shortDescription: 'Tanks',
    featured: false,
    visible: true,
    enabled: true,
    latestVersion: '1.1.0',
    latestVersionId: 'version2',
    versionCount: 2,
    deployedCount: 0,
    source: null,
    newVersionAt: null,
    createdAt: at,
    updatedAt: at,
  },
  version: {
    id: 'version1',
    catalogItemId: 'item1',
    version: '1.0.0',
    appVersion: null,
    color: '#1f8a70',
    displayName: 'Tank levels',
    description: 'Reads tanks',
    shortDescription: 'Tanks',
    iconEmbedded: null,
    iconUri: null,
    resourceRoles: ['viewer', 'editor'],
    kubeVersion: null,
    deprecated: false,
    sizeBytes: 1,
    digest: '',
    sourceName: null,
    createdAt: at,
  },
}

const versions = [{ ...child.version, id: 'version2', version: '1.1.0' }, child.version]

const cluster = (id: string) => ({ id, name: id, displayName: `Cluster ${id}`, provider: 'Sandbox' })
const space = (id: string, displayName: string, clusters: string[]): Space => ({
  id,
  name: displayName.toLowerCase(),
  freeze: null,
  displayName,
  identifier: displayName.toLowerCase(),
  description: '',
  namespace: `${displayName.toLowerCase()}-${id}`,
  apps: [],
  clusters: clusters.map(cluster),
  scopes: [],
  createdAt: at,
})

export const shop = { ...space('8kx2m4a', 'Shop', ['c1', 'c2']), apps: [{ id: 'a', name: 'a', displayName: 'A' }] }
export const empty = space('9kx2m4a', 'Empty', [])

export const app: App = {
  id: '7app001',
  identifier: '7app001',
  name: 'tank-levels',
  displayName: 'Tank levels',
  description: '',
  shortDescription: '',
  color: '#1f8a70',
  iconUri: null,
  iconEmbedded: null,
  tags: ['sensors'],
  resourceRoles: [
    { id: 'viewer', name: 'viewer' },
    { id: 'editor', name: 'editor' },
  ],
  itemType: 'Flow',
  appType: 'Containerized',
  spaceId: shop.id,
  spaceName: shop.displayName,
  clusterId: 'c1',
  clusterName: 'Cluster c1',
  catalogItemId: 'item1',
  catalogItemName: 'Tank levels',
  catalogVersionId: 'version1',
  version: '1.0.0',
  availableVersion: '1.1.0',
  releaseName: 'tank-levels-7app001',
  namespace: shop.namespace,
  revision: 3,
  state: 'healthy',
  stateMessage: null,
  createdAt: at,
  createdBy: 'mara',
  updatedAt: at,
}

export const groups = [
  {
    id: 'g1',
    name: 'Crew',
    path: '/Crew',
    memberCount: 1,
    subGroups: [{ id: 'g2', name: 'Night watch', path: '/Crew/Night watch', memberCount: 1, subGroups: [] }],
  },
]

export const prepared = {
  clusterId: 'c1',
  catalogItemId: 'item1',
  catalogVersionId: 'version1',
  values: { yaml: '# How many tanks\ntanks: 2\n', fieldConfig: [], schema: null },
}

const helm = '/deployment/v1/helm/deployment'
const listOf = (data: unknown[]) => ({ data, page: { skip: 0, limit: 1000, total: data.length }, next: null })
const okay = { provider: 'YAML', resultType: 'ok', success: true, lines: [], outside: null, remedy: [] }

const estimate: Estimate = {
  currency: 'EUR',
  monthly: { low: 12, expected: 12, high: 12 },
  ...{ delta: null, lines: [], unpriced: [], rate: null, missingRate: null, budget: null, problem: null },
}

/** A server on which everything goes well. */
export const well = {
  'GET /catalog/v2/versions/bycatalogitem/': listOf(versions),
  'GET /portal-api/v2/spaces': listOf([shop, empty]),
  [`POST ${helm}/actions.Assign`]: app,
  [`POST ${helm}/actions.`]: { actionId: 'action-1', state: 'accepted', releaseName: app.releaseName },
  'GET /deployment/v1/actions/': { id: 'action-1', running: false, state: 'Success', prepared },
  [`GET ${helm}/releasename/`]: { name: app.releaseName },
  [`PUT ${helm}/validate/`]: okay,
  [`GET ${helm}/leftovers/`]: { data: [] },
  'GET /metrics-dashboard/v1/cost/spaces/': { budget: null },
  'POST /metrics-dashboard/v1/cost/estimate': estimate,
  'GET /iam/v2/groups': { data: groups },
  'POST /iam/v2/groups/people': { people: 2 },
  'GET /portal-api/v2/apps/': app,
}
