import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogItem } from '@quayside/contract/catalog/endpoints'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { Action } from '@quayside/contract/deployments/endpoints'
import type { ListReply } from '@quayside/contract/http/paging'
import type { Space } from '@quayside/contract/spaces/endpoints'

const at = '2026-01-01T00:00:00.000Z'

/** A page of a list that has these rows and no others. */
export const pageOf = <T = never>(...data: T[]): ListReply<T> => ({
  data,
  page: { skip: 0, limit: 50, total: data.length },
  next: null,
})

/** The first page of a list that has more rows than fit. */
export const firstOf = <T>(total: number, ...data: T[]): ListReply<T> => ({
  ...pageOf(...data),
  page: { skip: 0, limit: 50, total },
})

export const aSpace = (more: Partial<Space> = {}): Space => ({
  ...{ id: '8kx2m4a', name: 'shop', displayName: 'Shop', identifier: 'shop', description: 'Sells things' },
  ...{ namespace: 'shop-8kx2m4a', apps: [{ id: 'a', name: 'a', displayName: 'A' }], createdAt: at },
  ...{
    clusters: [{ id: 'c1', name: 'c1', displayName: 'North', provider: 'Sandbox' }],
    scopes: ['space.view'],
    freeze: null,
  },
  ...more,
})

export const aCluster = (more: Partial<Cluster> = {}): Cluster => ({
  ...{ id: 'c1', name: 'north', displayName: 'North', iaas: { type: 'Sandbox' }, server: 'https://127.0.0.1:6443' },
  ...{ version: 'v1.35.0', simulated: false, clusterScoped: false, ingressNamespaces: [], health: 'healthy' },
  ...{ healthMessage: null, nodes: { ready: 2, total: 3 }, appCount: 7, spaceCount: 4, checkedAt: at, createdAt: at },
  ...{
    capacity: { cpuMillis: 8000, memoryBytes: 16 * 1024 ** 3, pods: 110 },
    requested: { cpuMillis: 2000, memoryBytes: 4 * 1024 ** 3, pods: 11 },
  },
  ...more,
})

export const anApp = (more: Partial<App> = {}): App => ({
  ...{
    id: '7app001',
    identifier: '7app001',
    name: 'tank-levels',
    displayName: 'Tank levels',
    description: 'Reads tanks',
  },
  ...{ shortDescription: 'Tanks', color: '#1f8a70', iconUri: null, iconEmbedded: null, tags: ['sensors'] },
  ...{ resourceRoles: [], itemType: 'App', appType: 'Containerized', spaceId: '8kx2m4a', spaceName: 'Shop' },
  ...{ clusterId: 'c1', clusterName: 'North', catalogItemId: 'item1', catalogItemName: 'tanks' },
  ...{ catalogVersionId: 'version1', version: '1.0.0', availableVersion: null, releaseName: 'tank-levels-7app001' },
  ...{ namespace: 'shop-8kx2m4a', revision: 3, state: 'healthy', stateMessage: null },
  ...{ createdAt: at, createdBy: 'mara', updatedAt: at },
  ...more,
})

export const anAction = (more: Partial<Action> = {}): Action => ({
  ...{
    id: 'action-1',
    kind: 'Upgrade',
    state: 'Success',
    running: false,
    cancellable: false,
    abortable: false,
    abortedBy: null,
    leftBehind: null,
    appId: '7app001',
  },
  ...{ appName: 'Tank levels', releaseName: 'tank-levels-7app001', namespace: 'shop-8kx2m4a', clusterId: 'c1' },
  ...{ clusterName: 'North', spaceId: '8kx2m4a', spaceName: 'Shop', version: '1.0.0', startedBy: 'noor' },
  ...{ idempotencyKey: null, iamResult: null, prepared: null, acceptedAt: at, finishedAt: '2026-01-01T00:01:05.000Z' },
  ...{ result: { state: 0, summary: 'Summed up', lines: [] }, lastSeq: 1 },
  ...more,
})

export const anItem = (more: Partial<CatalogItem> = {}): CatalogItem => ({
  ...{ id: 'item1', name: 'tanks', type: 'App', appKind: 'app', appType: 'Containerized', category: 'Industry' },
  ...{
    tags: [],
    iconUri: null,
    iconEmbedded: null,
    color: '#1f8a70',
    manufacturer: { id: 'm1', name: 'Harbour Works' },
    source: null,
    newVersionAt: null,
  },
  ...{ displayName: 'Tank levels', description: 'Reads tanks', shortDescription: 'Tanks', featured: false },
  ...{ visible: true, enabled: true, latestVersion: '1.1.0', latestVersionId: 'version2', versionCount: 2 },
  ...{ deployedCount: 5, createdAt: at, updatedAt: at },
  ...more,
})
