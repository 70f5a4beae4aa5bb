import type { App } from '@quayside/contract/apps/endpoints'
import type { DeployData } from '@quayside/contract/deployments/deploy-data'
import { shortId } from '../../../platform/db/ids.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { VersionOf } from '../ports.ts'

export const space = {
  id: 'space01',
  name: 'team',
  displayName: 'Team',
  identifier: 'team',
  namespace: 'team-space01',
  clusterIds: ['c1'],
}

const texts = { displayName: 'Web', description: 'A web server', shortDescription: 'Web', color: '#336699' }
const moment = '2026-01-01T00:00:00.000Z'
export const version: VersionOf = {
  item: {
    ...texts,
    id: 'item1',
    name: 'web',
    type: 'App',
    appKind: 'web',
    appType: 'Containerized',
    category: '',
    tags: [],
    iconUri: null,
    iconEmbedded: null,
    manufacturer: { id: 'm1', name: 'Ours' },
    featured: false,
    visible: true,
    enabled: true,
    latestVersion: '1.0.0',
    latestVersionId: 'v1',
    versionCount: 1,
    source: null,
    newVersionAt: null,
    createdAt: moment,
    updatedAt: moment,
  },
  version: {
    ...texts,
    id: 'v1',
    catalogItemId: 'item1',
    version: '1.0.0',
    appVersion: null,
    sourceName: null,
    iconEmbedded: null,
    iconUri: null,
    resourceRoles: ['web.use'],
    kubeVersion: null,
    deprecated: false,
    sizeBytes: 1,
    digest: 'd',
    createdAt: moment,
  },
  valuesYaml: 'replicas: 1\n# @MASKED\ncode: ""\n',
  valuesSchema: null,
  publisherId: 'u1',
  sourceId: null,
}

/** Records of apps in memory. */
export function createFakeApps() {
  const records = new Map<string, App>()
  const apps: DeploymentDeps['apps'] = {
    find: async (_, id) => records.get(id),
    record: async (_, id) => records.get(id),
    byIds: async (_, ids) => ids.flatMap((id) => records.get(id) ?? []),
    list: async () => ({ data: [...records.values()], page: { skip: 0, limit: 100, total: records.size }, next: null }),
    async create(_, made) {
      const id = shortId()
      const app: App = {
        ...made,
        id,
        identifier: id,
        resourceRoles: made.resourceRoles.map((name) => ({ id: name, name })),
        spaceName: space.displayName,
        clusterName: 'Sandbox',
        availableVersion: null,
        releaseName: null,
        revision: null,
        state: 'assigned',
        stateMessage: null,
        createdAt: moment,
        updatedAt: moment,
      }
      records.set(id, app)
      return app
    },
    async patchRecord(_, id, patch) {
      const app = records.get(id)
      const { resourceRoles, ...rest } = patch
      if (app)
        Object.assign(app, rest, resourceRoles && { resourceRoles: resourceRoles.map((name) => ({ id: name, name })) })
      return app !== undefined
    },
    async remove(_, id) {
      records.delete(id)
    },
  }
  return { apps, records }
}

/** The `deployData` that the wizards send for an app. */
export function deployDataFor(app: App, yaml = 'replicas: 2\n'): DeployData {
  return {
    realm: 't1',
    clusterId: app.clusterId,
    spaceId: app.spaceId,
    appMetadata: {
      tenantIdentifier: 't1',
      envIdentifier: space.identifier,
      instanceIdentifier: app.identifier,
      appIdentifier: app.identifier,
    },
    namespace: app.namespace,
    yaml,
    catalogChild: { item: { id: app.catalogItemId }, version: { id: app.catalogVersionId } },
    groups: [],
  }
}
