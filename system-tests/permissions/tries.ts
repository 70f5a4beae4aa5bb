import type { ErrorCode } from '@quayside/contract/http/errors'
import { inPlace, type Policy } from '@quayside/contract/http/policy'
import type { Scope } from '@quayside/contract/permissions/scopes'
import { dashboardTries } from './dashboard-tries.ts'
import { metricsTries } from './metrics-tries.ts'
import { iamTries, roleTries } from './people-tries.ts'
import { realmTries } from './realm-tries.ts'
import { scalingTries } from './scaling-tries.ts'
import { sourceTries } from './source-tries.ts'
import { spaceTries } from './space-tries.ts'
import { assignBody, deployBody, metadataOf, presetOf, type Team, type Tenant } from './two-teams.ts'
import { webhookTries } from './webhook-tries.ts'

export interface Asked {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

/** A call in earnest, as whoever is refused tries it. */
export interface Try extends Asked {
  /** The same for who is let in, where it would change something: it gets past the door and no further. */
  mild?: Asked | (() => Promise<Asked>)
  /** Finer than the policy: what the verb asks of the thing that it finds. */
  asks?: Policy
  /** The scope, among those that the policy calls `also`, that this call needs here. */
  finds?: Scope
  /** For somebody who is let in but sees nothing of the team it does not exist. */
  unseen?: ErrorCode
  /** A thing of one person alone: for everybody else it does not exist. */
  own?: ErrorCode
  /** Text in the answer for those who see the team's things, and for nobody else. */
  shows?: string
  /** The ids of another tenant are no error here: the answer holds nothing of them. */
  isEmptyAbroad?: boolean
}

export type Tries = Record<string, Try>
const nothing = 'nothing'
const idOf = ({ id }: { id: string }) => ({ id })

/** Every call against the things of one team, by its address. A call that is not here fails the matrix. */
export function triesOf(tenant: Tenant, team: Team): Tries {
  return {
    ...portalTries(team),
    ...spaceTries(team),
    ...memberTries(tenant, team),
    ...roleTries(tenant),
    ...menuTries(team),
    ...appLinkTries(tenant),
    ...dashboardTries(tenant, team),
    ...catalogTries(tenant, team),
    ...sourceTries(tenant),
    ...clusterTries(team),
    ...outsideTries(tenant, team),
    ...kubeconfigTries(team),
    ...metricsTries(team),
    ...deploymentTries(tenant, team),
    ...actionTries(tenant, team),
    ...iamTries(tenant, team),
    ...realmTries(tenant),
    ...webhookTries(tenant),
  }
}

function portalTries({ space, app }: Team): Tries {
  const ofApp = { id: app.id }
  return {
    'GET /portal-api/v1/limits': {},
    'GET /portal-api/v2/tenants/byrealm/:realm': { params: { realm: 'demo' }, shows: space.id },
    'GET /portal-api/v2/apps': { shows: app.id },
    'GET /portal-api/v2/apps/:id': { params: ofApp, shows: app.identifier },
    'PATCH /portal-api/v2/apps/:id': {
      params: ofApp,
      body: { displayName: 'Taken' },
      mild: { params: ofApp, body: {} },
      finds: 'app.manage',
    },
    'PUT /portal-api/v2/apps/:id/tags/:tag': { params: { ...ofApp, tag: 'common' }, finds: 'app.manage' },
    'DELETE /portal-api/v2/apps/:id/tags/:tag': {
      params: { ...ofApp, tag: 'common' },
      mild: { params: { ...ofApp, tag: 'absent' } },
      finds: 'app.manage',
    },
    'GET /portal-api/v2/authz/scopes': {},
  }
}

function memberTries({ spaceRole }: Tenant, { space, viewer, permission, request, answered, app }: Team): Tries {
  const ofSpace = { id: space.id }
  const change = { role: 'manager', owner: true, expiresAt: null }
  return {
    'GET /portal-api/v3/scopes/mine': {},
    'GET /portal-api/v3/spaces/:id/permissions': { params: ofSpace, shows: permission.id },
    'POST /portal-api/v3/spaces/:id/permissions': {
      params: ofSpace,
      body: { principal: { type: 'user', id: viewer.id }, role: 'manager' },
      mild: { params: ofSpace, body: { principal: { type: 'user', id: viewer.id }, role: nothing } },
    },
    'PUT /portal-api/v3/spaces/:id/permissions': {
      params: ofSpace,
      body: { ...change, id: permission.id },
      mild: { params: ofSpace, body: { ...change, id: nothing } },
    },
    'DELETE /portal-api/v3/spaces/:id/permissions/:pid': {
      params: { ...ofSpace, pid: permission.id },
      mild: { params: { ...ofSpace, pid: nothing } },
    },
    'GET /portal-api/v3/spaces/:id/permissions/history': { params: ofSpace },
    'GET /portal-api/v3/spaces/:id/members': { params: ofSpace },
    'GET /portal-api/v3/spaces/:id/principals': { params: ofSpace, query: { search: 'person' } },
    'GET /portal-api/v3/principals': { query: { search: 'person' } },
    'GET /portal-api/v3/space-roles': {},
    'POST /portal-api/v3/space-roles': {
      body: { name: 'Taken', scopes: ['space.view'] },
      mild: { body: { name: 'Taken', scopes: ['app.manage'] } },
      isEmptyAbroad: true,
    },
    'PUT /portal-api/v3/space-roles/:id': {
      params: idOf(spaceRole),
      body: { name: 'Taken', scopes: ['space.view'] },
      mild: { params: { id: nothing }, body: { name: 'Taken', scopes: ['space.view'] } },
    },
    'DELETE /portal-api/v3/space-roles/:id': { params: idOf(spaceRole), mild: { params: { id: nothing } } },
    'POST /portal-api/v3/spaces/:id/access-requests': {
      params: ofSpace,
      body: { role: 'manager', reason: 'Mine', hours: null },
      mild: { params: ofSpace, body: { role: nothing, reason: 'Mine', hours: null } },
    },
    'GET /portal-api/v3/access-requests/mine': {},
    'GET /portal-api/v3/access-requests': { shows: request.id },
    'POST /portal-api/v3/access-requests/:id/answer': {
      params: idOf(request),
      body: { decision: 'grant' },
      mild: { params: idOf(answered), body: { decision: 'grant' } },
    },
    'DELETE /portal-api/v3/access-requests/:id': { params: idOf(request), own: 'access-request.not-found' },
    'GET /portal-api/v3/explain': {
      query: { scope: 'app.manage', place: 'app', id: app.id },
      asks: inPlace('app', 'query.id', 'app.view'),
    },
  }
}

function menuTries({ group, entry, space }: Team): Tries {
  const own = 'menu.group-not-found'
  const pin = { type: 'spaces', selectedEntryId: space.id, name: 'Taken' }
  return {
    'GET /portal-api/v0/menu': {},
    'POST /portal-api/v0/menu/groups': { body: { title: 'Mine' }, isEmptyAbroad: true },
    'PUT /portal-api/v0/menu/groups/:gid': { params: { gid: group.id }, body: { title: 'Taken' }, own },
    'DELETE /portal-api/v0/menu/groups/:gid': { params: { gid: group.id }, own },
    'POST /portal-api/v0/menu/groups/:gid/entries/': {
      params: { gid: group.id },
      body: pin,
      asks: inPlace('space', 'body.selectedEntryId', 'space.view'),
      own,
    },
    'PUT /portal-api/v0/menu/groups/:gid/entries/': { params: { gid: group.id }, body: { ids: [entry.id] }, own },
    'DELETE /portal-api/v0/menu/groups/:gid/entries/:eid': {
      params: { gid: group.id, eid: entry.id },
      own: 'menu.entry-not-found',
    },
  }
}

function appLinkTries({ appLink }: Tenant): Tries {
  const [link, body] = [{ id: appLink.id }, { name: 'Taken', url: 'https://taken.example.org' }]
  const same = { name: appLink.name, url: appLink.url }
  return {
    'GET /portal-api/v2/applinks': {},
    'POST /portal-api/v2/applinks': { body, mild: { body: same }, isEmptyAbroad: true },
    'PUT /portal-api/v2/applinks/:id': { params: link, body, mild: { params: link, body: same } },
    'DELETE /portal-api/v2/applinks/:id': { params: link, mild: { params: { id: nothing } } },
    'PUT /portal-api/v2/applinks/:id/tags/:tag': {
      params: { ...link, tag: 'taken' },
      mild: { params: { id: nothing, tag: 'taken' } },
    },
    'DELETE /portal-api/v2/applinks/:id/tags/:tag': { params: { ...link, tag: 'absent' } },
  }
}

function catalogTries({ child }: Tenant, { app }: Team): Tries {
  const [item, version] = [{ id: child.item.id }, { id: child.version.id }]
  const file = `${child.item.name}-${child.version.version}.tgz`
  return {
    'GET /catalog/v2/items': { isEmptyAbroad: true },
    'GET /catalog/v2/items/:id': { params: item },
    'GET /catalog/v2/items/byname/:name': { params: { name: child.item.name } },
    'PATCH /catalog/v2/items/:id/featured/:featured': {
      params: { ...item, featured: 'true' },
      mild: { params: { id: nothing, featured: 'true' } },
    },
    'DELETE /catalog/v2/items/:id': { params: item, mild: { params: { id: nothing } } },
    'GET /catalog/v2/versions/:id': { params: version },
    'GET /catalog/v2/versions/bycatalogitem/:id': { params: item },
    'GET /catalog/v2/versions/bycatalogapp/:id': { params: { id: app.id }, unseen: 'app.not-found' },
    'GET /catalog/v2/manufacturers': {},
    'POST /catalog/v1/upload/uploadasync': { body: new FormData() },
    'GET /catalog/v1/repository/index.yaml': {},
    'GET /catalog/v1/repository/charts/:file': { params: { file } },
  }
}

function clusterTries({ app, space, clusterId, pod }: Team): Tries {
  const [ofApp, ofCluster] = [{ params: { id: app.id } }, { params: { id: clusterId } }]
  return {
    'GET /cluster/v1/clusters/list': { shows: clusterId },
    'GET /cluster/v2/clusters': {},
    'GET /cluster/v1/clusters/:id': ofCluster,
    'POST /cluster/v1/clusters': { body: { displayName: 'Taken', kubeconfig: 'none' }, isEmptyAbroad: true },
    'PUT /cluster/v1/clusters/:id': {
      ...ofCluster,
      body: { displayName: 'Taken' },
      mild: { ...ofCluster, body: { kubeconfig: 'none' } },
    },
    'DELETE /cluster/v1/clusters/:id': ofCluster,
    'GET /cluster/v2/clusters/:id/events': { ...ofCluster, query: { 'page.limit': '5' } },
    'GET /cluster/v1/clusters/:id/nodes': ofCluster,
    'GET /cluster/v1/clusters/:id/healthCheck': ofCluster,
    'GET /cluster/v1/clusters/:id/storageClasses': ofCluster,
    'GET /cluster/v1/secrets/spaces/:spaceId/clusters/:clusterId': { params: { spaceId: space.id, clusterId } },
    'GET /cluster/v1/apps/:id/overview': ofApp,
    'GET /cluster/v1/apps/:id/pods': ofApp,
    'GET /cluster/v1/apps/:id/deployments': ofApp,
    'GET /cluster/v1/apps/:id/pvcs': ofApp,
    'GET /cluster/v1/apps/:id/services': ofApp,
    'GET /cluster/v1/apps/:id/serviceAccounts': ofApp,
    'GET /cluster/v1/apps/:id/events': ofApp,
    ...scalingTries(app, clusterId),
    'DELETE /cluster/v1/apps/:appId/:namespace/pods/:pod': {
      params: { appId: app.id, namespace: app.namespace, pod },
      mild: { params: { appId: app.id, namespace: app.namespace, pod: nothing } },
    },
    'GET /log/v1/apps/:id/lines': { params: { id: app.id }, query: { tailLines: '1' } },
    'GET /log/v1/spaces/:id/lines': { params: { id: space.id }, query: { tailLines: '1' } },
    'GET /log/v1/apps/:id/pods/:pod': { params: { id: app.id, pod }, query: { tailLines: '1' } },
  }
}

const helm = '/deployment/v1/helm/deployment'

function outsideTries({ child }: Tenant, team: Team): Tries {
  const { app, space, clusterId, rule, approval, declinedApproval } = team
  const [ofCluster, ofOpen] = [{ params: { id: clusterId } }, { params: idOf(approval) }]
  const ofDeclined = { params: idOf(declinedApproval) }
  const asking = { appMetadata: metadataOf(app, space), reason: 'Mine' }
  const onCluster = { params: { id: clusterId, spaceId: space.id } }
  return {
    'GET /cluster/v1/clusters/:id/rules': ofCluster,
    'POST /cluster/v1/clusters/:id/rules': {
      ...ofCluster,
      body: { group: '', kind: 'Namespace' },
      mild: { ...ofCluster, body: { group: '', kind: 'Namespace', itemId: nothing } },
    },
    'DELETE /cluster/v1/clusters/:id/rules/:rule': {
      params: { id: clusterId, rule: rule.id },
      mild: { params: { id: clusterId, rule: nothing } },
    },
    'GET /cluster/v1/approvals': { shows: approval.id },
    'GET /cluster/v1/approvals/:id': { ...ofOpen, unseen: 'approval.not-found', shows: space.id },
    'POST /cluster/v1/approvals/:id/answer': {
      ...ofOpen,
      body: { decision: 'grant' },
      mild: { ...ofDeclined, body: { decision: 'grant' } },
    },
    // Somebody else's: only who has asked takes it back.
    'DELETE /cluster/v1/approvals/:id': { ...ofDeclined, own: 'approval.not-found' },
    'POST /cluster/v1/approvals/:id/end': ofDeclined,
    'GET /cluster/v1/clusters/:id/spaces': ofCluster,
    'PUT /cluster/v1/clusters/:id/spaces/:spaceId': {
      ...onCluster,
      body: { podSecurity: 'privileged' },
      mild: { ...onCluster, body: {} },
    },
    [`POST ${helm}/approvals/:id`]: {
      params: { id: child.version.id },
      body: { ...asking, yaml: 'code: taken12\n' },
      mild: { params: { id: child.version.id }, body: { ...asking, yaml: 'code: [' } },
    },
  }
}

function kubeconfigTries({ space, clusterId, kubeconfig }: Team): Tries {
  const kubeconfigId = kubeconfig.id
  const mild = (id: string) => ({ params: { id, kubeconfigId: nothing } })
  return {
    'POST /cluster/v1/kubeconfigs': { body: { places: [{ spaceId: space.id, clusterId }] } },
    'GET /cluster/v1/kubeconfigs': {},
    'DELETE /cluster/v1/kubeconfigs/:id': { params: idOf(kubeconfig), own: 'kubeconfig.not-found' },
    'GET /cluster/v1/spaces/:id/kubeconfigs': { params: { id: space.id } },
    'DELETE /cluster/v1/spaces/:id/kubeconfigs/:kubeconfigId': {
      params: { id: space.id, kubeconfigId },
      mild: mild(space.id),
    },
    'GET /cluster/v1/spaces/:id/elevation': { params: { id: space.id } },
    'GET /cluster/v1/clusters/:id/kubeconfigs': { params: { id: clusterId } },
    'DELETE /cluster/v1/clusters/:id/kubeconfigs/:kubeconfigId': {
      params: { id: clusterId, kubeconfigId },
      mild: mild(clusterId),
    },
  }
}

function deploymentTries(tenant: Tenant, { space, app, assigned, clusterId }: Team): Tries {
  const { item, version } = tenant.child
  const [ofApp, ofItem] = [{ id: app.id }, { tenantId: tenant.id, itemId: item.id }]
  const preparing = { catalogItemId: item.id, catalogItemType: item.type, appKind: item.appKind, appId: app.id }
  const deploying = deployBody(tenant, space, assigned, 'taken', 'code: taken12\n')
  const { releaseName, ...upgrading } = deployBody(tenant, space, app, '', 'code: taken12\n')
  const assigning = assignBody(tenant, space, clusterId, 'Taken')
  const ofVersion = { params: { id: version.id } }
  const appMetadata = metadataOf(app, space)
  const child = { ...tenant.child, version: { ...version, id: nothing } }
  return {
    [`POST ${helm}/actions.Assign`]: { body: assigning, mild: { body: { ...assigning, catalogChild: child } } },
    [`POST ${helm}/actions.Prepare`]: {
      body: { ...preparing, catalogVersionId: version.id },
      mild: { body: { ...preparing, catalogVersionId: nothing } },
    },
    [`POST ${helm}/actions.Deploy`]: { body: deploying, mild: { body: { ...deploying, versionId: nothing } } },
    [`POST ${helm}/actions.Upgrade`]: { body: upgrading, mild: { body: { ...upgrading, versionId: nothing } } },
    [`POST ${helm}/actions.Rollback`]: {
      body: { appId: app.id, revision: 1 },
      mild: { body: { appId: app.id, revision: 999 } },
    },
    [`POST ${helm}/actions.Delete`]: {
      body: { app: { id: app.id, releaseName: app.releaseName } },
      mild: { body: { app: { id: app.id, releaseName: nothing } } },
      finds: 'app.manage',
    },
    [`POST ${helm}/actions.Repair`]: { body: { appId: app.id }, mild: { body: { appId: assigned.id } } },
    [`GET ${helm}/leftovers/:id`]: { params: ofApp },
    'GET /deployment/v1/catalogapp/:id': ofVersion,
    [`GET ${helm}/revisions/:id`]: { params: ofApp },
    [`GET ${helm}/revision/:appId/:revision`]: { params: { appId: app.id, revision: '1' } },
    [`GET ${helm}/compare/:id`]: { params: ofApp, query: { from: '1', to: '1' } },
    [`PUT ${helm}/preview/:id`]: {
      ...ofVersion,
      body: { appMetadata },
      mild: { params: { id: nothing }, body: { appMetadata } },
    },
    [`GET ${helm}/releasename/:appId/:name`]: { params: { appId: app.id, name: 'taken' } },
    [`GET ${helm}/deployed/:tenantId/:itemId`]: { params: ofItem, shows: app.id },
    [`GET ${helm}/deployed/:tenantId/:itemId/app/:appId`]: { params: { ...ofItem, appId: app.id } },
    [`POST ${helm}/deployed/:tenantId/ids`]: { params: { tenantId: tenant.id }, body: [app.id], shows: space.id },
    [`PUT ${helm}/validate/:id`]: {
      ...ofVersion,
      body: { appMetadata, yaml: 'code: taken12\n' },
      mild: { ...ofVersion, body: { appMetadata, yaml: 'code: [' } },
    },
    'POST /deployment/v1/convert/toyaml': { body: { originalYaml: 'a: 1\n' }, isEmptyAbroad: true },
    'POST /deployment/v1/convert/tojson': { body: { originalYaml: 'a: 1\n' }, isEmptyAbroad: true },
  }
}

function actionTries(tenant: Tenant, { space, action, preset, deployer, name }: Team): Tries {
  const ofAction = { params: { id: action.id } }
  const adding = { name: 'Taken', catalogVersionId: tenant.child.version.id, spaceId: space.id }
  return {
    'GET /deployment/v1/actions': { shows: action.id },
    'GET /deployment/v1/actions/:id': { ...ofAction, shows: space.id },
    'POST /deployment/v1/actions/:id/cancel': ofAction,
    'POST /deployment/v1/actions/:id/abort': ofAction,
    'POST /deployment/v1/actions/:id/retry': { ...ofAction, finds: 'space.deploy' },
    'GET /deployment/v1/actions/:id/events': ofAction,
    'GET /deployment/v1/actions/people': { shows: action.startedBy },
    'GET /deployment/v1/presets/bycatalogitem/:id': {
      params: { id: tenant.child.item.id },
      shows: preset.id,
      isEmptyAbroad: true,
    },
    'POST /deployment/v1/presets': {
      body: { ...adding, yaml: 'replicas: 3\n' },
      mild: { body: { ...adding, yaml: '' } },
    },
    'PATCH /deployment/v1/presets/:id': {
      params: idOf(preset),
      body: { name: 'Taken' },
      mild: { params: idOf(preset), body: { name: preset.name } },
    },
    'DELETE /deployment/v1/presets/:id': {
      params: idOf(preset),
      async mild() {
        const disposable = await presetOf(deployer, tenant, space.id, `${name}-${crypto.randomUUID()}`)
        return { params: { id: disposable.id } }
      },
    },
  }
}
