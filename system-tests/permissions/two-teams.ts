import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppLink } from '@quayside/contract/app-links/endpoints'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { CatalogSource } from '@quayside/contract/catalog/sources'
import type { Dashboard } from '@quayside/contract/dashboards/endpoints'
import type { DeployData } from '@quayside/contract/deployments/deploy-data'
import type { Action } from '@quayside/contract/deployments/endpoints'
import type { Preset } from '@quayside/contract/deployments/presets'
import type { AccessRequest } from '@quayside/contract/permissions/access-requests'
import type { Permission, PermissionInput } from '@quayside/contract/permissions/permission-entry'
import type { MenuEntry, MenuGroup } from '@quayside/contract/sidebar/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { packChart } from '@quayside/embedded/seed/chart-package'
import type { World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import { realmPaths } from './realm-tries.ts'
import { makeSource } from './source-tries.ts'
import { someWebhook } from './webhook-tries.ts'

export interface Person {
  id: string
  token: string
  /** Calls the portal and gives the answer's body; throws what it says where it refuses. */
  good<T>(path: string, call?: { method?: string; body?: unknown }): Promise<T>
}

function personWith(world: World, token: string): Person {
  return {
    token,
    id: decodeJwt(token).sub ?? '',
    async good<T>(path: string, call: { method?: string; body?: unknown } = {}) {
      const answer = await world.api(path, { token, ...call })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
      return (text === '' ? undefined : JSON.parse(text)) as T
    },
  }
}

type Roles = Parameters<World['tokenFor']>[0]
const member: Roles = { realmRoles: ['quayside-member'] }
export const newPerson = async (world: World, roles: Roles = member): Promise<Person> =>
  personWith(world, await world.tokenFor(roles))

/** Everything of a team that somebody could want to reach. */
export interface Team {
  name: string
  secret: string
  manager: Person
  deployer: Person
  viewer: Person
  /** Has asked for more, and has a side bar. */
  asker: Person
  clusterId: string
  space: Space
  /** Deployed, with the action that has done it, and its pod. */
  app: App
  action: Action
  pod: string
  /** Only assigned. */
  assigned: App
  permission: Permission
  preset: Preset
  request: AccessRequest
  answered: AccessRequest
  group: MenuGroup
  entry: MenuEntry
  /** The asker's own, shared with nobody, with the one entry of its permission list. */
  dashboard: Dashboard
  dashboardPermission: { id: string }
  /** Entry of the cluster's list, an open request for more outside of the space, and one that was declined. */
  rule: { id: string }
  approval: { id: string }
  declinedApproval: { id: string }
  /** Kubeconfig of a deployer who does nothing else here; the two requests are theirs as well. */
  kubeconfig: { id: string }
}

/** Things that the teams share: the tenant, its catalog, its people. */
export interface Tenant {
  id: string
  admin: Person
  child: CatalogChild
  spaceRole: { id: string }
  client: { id: string }
  appLink: AppLink
  /** A source of the catalog at which nobody answers, after its first run. */
  source: CatalogSource
  webhook: { id: string } & typeof someWebhook
  /** Settings that panels of dashboards refer to. */
  configuration: { id: string; name: string }
  widget: { id: string }
  peopleGroup: { id: string }
  provider: { id: string; mapping: string }
  /** A role of the realm. */
  someRole: { id: string }
  /** Somebody waits for a role of the tenant, was refused one, and was given one for a while. */
  roleRequest: { id: string }
  answeredRoleRequest: { id: string }
  roleGrant: { id: string }
}

export async function makeTenant(world: World): Promise<Tenant> {
  const admin = await newPerson(world, { realmRoles: ['quayside-admin'] })
  const form = new FormData()
  const chart = await packChart(join(import.meta.dirname, 'leaky-chart'), 'leaky')
  form.set('file', new Blob([Buffer.from(chart)]), 'leaky.tgz')
  const { itemId, versionId } = await admin.good<{ itemId: string; versionId: string }>(
    '/catalog/v1/upload/uploadasync',
    { body: form },
  )
  const directory = await world.directory()
  await directory.post('/groups', { name: 'everybody' })
  const [peopleGroup] = await directory.get<{ id: string }[]>('/groups')
  const client = { clientId: 'some-script', realmRoles: ['quayside-viewer'] }
  return {
    admin,
    id: (await admin.good<{ id: string }>(`/portal-api/v2/tenants/byrealm/${world.realm}`)).id,
    child: {
      item: await admin.good(`/catalog/v2/items/${itemId}`),
      version: await admin.good(`/catalog/v2/versions/${versionId}`),
    },
    spaceRole: await admin.good('/portal-api/v3/space-roles', { body: { name: 'Looker', scopes: ['space.view'] } }),
    client: await admin.good('/iam/v2/clients', { body: client }),
    appLink: await admin.good('/portal-api/v2/applinks', { body: { name: 'Wiki', url: 'https://wiki.example.org' } }),
    source: await makeSource(admin),
    webhook: await admin.good('/im/v1/webhooks', { body: someWebhook }),
    configuration: await admin.good('/dashboard/v1/configurations', {
      body: { name: 'Addresses', kind: 'links', value: [] },
    }),
    widget: await admin.good('/dashboard/v1/library/register', {
      body: { name: 'reader', version: '1.0.0', title: 'Reader', kind: 'Markdown' },
    }),
    peopleGroup: peopleGroup ?? { id: '' },
    provider: await makeProvider(world),
    someRole: (await directory.get<{ id: string; name: string }[]>('/roles?search=quayside-viewer'))[0] ?? { id: '' },
    ...(await makeRoleRequests(world, admin)),
  }
}

async function makeProvider(world: World) {
  const directory = await world.directory()
  const [id, issuer] = ['some-provider', 'https://login.example.org']
  const instances = '/identity-provider/instances'
  const config = {
    ...{ issuer, authorizationUrl: `${issuer}/auth`, tokenUrl: `${issuer}/token`, jwksUrl: `${issuer}/keys` },
    ...{ clientId: 'portal', clientSecret: 'kept' },
  }
  await directory.post(instances, { alias: id, displayName: 'Somebody', providerId: 'oidc', config })
  await directory.post(`${instances}/${id}/mappers`, {
    ...{ name: 'crew', identityProviderAlias: id, identityProviderMapper: 'oidc-user-attribute-idp-mapper' },
    config: { claim: 'team', 'user.attribute': 'crew' },
  })
  const [mapping] = await directory.get<{ id: string }[]>(`${instances}/${id}/mappers`)
  return { id, mapping: mapping?.id ?? '' }
}

async function makeRoleRequests(world: World, admin: Person) {
  const asker = await newPerson(world)
  const path = '/portal-api/v3/role-requests'
  const ask = (role: string) => asker.good<AccessRequest>(path, { body: { role, reason: 'Mine', hours: 8 } })
  const [given, answeredRoleRequest] = [await ask('clusters:clusters.view'), await ask('clusters:clusters.create')]
  await admin.good(`${path}/${given.id}/answer`, { body: { decision: 'grant' } })
  await admin.good(`${path}/${answeredRoleRequest.id}/answer`, { body: { decision: 'decline' } })
  const { data } = await admin.good<{ data: { id: string }[] }>('/portal-api/v3/role-grants')
  return { roleRequest: await ask('clusters:clusters.edit'), answeredRoleRequest, roleGrant: data[0] ?? { id: '' } }
}

async function makeDashboard(asker: Person, name: string, space: Space) {
  const body = { displayName: `${name}-dashboard`, spec: statesOf(space.id) }
  const dashboard = await asker.good<Dashboard>('/dashboard/v3/dashboards', { body })
  const list = `/dashboard/v3/dashboards/${dashboard.id}/permissions`
  const { data } = await asker.good<{ data: { id: string }[] }>(list)
  return { dashboard, dashboardPermission: data[0] ?? { id: '' } }
}

/** Content of a dashboard that counts the apps of a space. */
export function statesOf(spaceId: string) {
  const plugin = { kind: 'AppStates', spec: { spaceId } }
  const item = { x: 0, y: 0, width: 8, height: 6, content: { $ref: '#/spec/panels/states' } }
  return {
    panels: { states: { kind: 'Panel', spec: { display: { name: 'Apps' }, plugin } } },
    layouts: [{ kind: 'Grid', spec: { items: [item] } }],
  }
}

const user = ({ id }: Person) => ({ type: 'user', id }) as const

/** Makes a team with a space on a cluster of its own name, an app that is deployed and one that is only assigned. */
export async function makeTeam(
  world: World,
  tenant: Tenant,
  name: string,
  more: readonly (PermissionInput | { principal: PermissionInput['principal']; role: string })[] = [],
): Promise<Team> {
  const { admin } = tenant
  const [manager, deployer, viewer, asker, worker] = (await Promise.all(
    [1, 2, 3, 4, 5].map(() => newPerson(world)),
  )) as [...[Person, Person, Person, Person, Person]]
  // People who look after clusters read this name, so it does not contain that of the team.
  const cluster = await admin.good<{ id: string }>('/cluster/v1/clusters', {
    body: {
      displayName: `cluster-${randomUUID().slice(0, 8)}`,
      kubeconfig: readFileSync(world.kubeconfig, 'utf8'),
      clusterScoped: true,
    },
  })
  const space = await admin.good<Space>('/portal-api/v3/spaces', {
    body: {
      displayName: `${name}-space`,
      clusterIds: [cluster.id],
      members: [
        { principal: user(manager), role: 'manager', owner: true },
        { principal: user(deployer), role: 'deployer' },
        { principal: user(worker), role: 'deployer' },
        { principal: user(viewer), role: 'viewer' },
        { principal: user(asker), role: 'viewer' },
        ...more,
      ],
    },
  })
  const assign = (displayName: string) =>
    deployer.good<App>('/deployment/v1/helm/deployment/actions.Assign', {
      body: assignBody(tenant, space, cluster.id, displayName),
    })
  const [assigned, app] = [await assign(`${name}-assigned`), await assign(`${name}-app`)]
  const secret = `${name}Secret7`
  const { actionId } = await deployer.good<{ actionId: string }>('/deployment/v1/helm/deployment/actions.Deploy', {
    body: deployBody(tenant, space, app, `${name}-web`, `code: ${secret}\n`),
  })
  const action = await deployer.good<Action>(`/deployment/v1/actions/${actionId}?wait=50`)
  if (action.state !== 'Success') throw new Error(`${name} could not deploy: ${JSON.stringify(action.result)}`)
  const spacePath = `/portal-api/v3/spaces/${space.id}`
  const ask = (role: string) =>
    asker.good<AccessRequest>(`${spacePath}/access-requests`, { body: { role, reason: `${name}-reason`, hours: null } })
  const answered = await ask('manager')
  await manager.good(`/portal-api/v3/access-requests/${answered.id}/answer`, { body: { decision: 'decline' } })
  const group = await asker.good<MenuGroup>('/portal-api/v0/menu/groups', { body: { title: `${name}-group` } })
  const pinned = { type: 'spaces', selectedEntryId: space.id, name: `${name}-pin` }
  const { data: entries } = await admin.good<{ data: Permission[] }>(`${spacePath}/permissions`)
  return {
    ...{
      name,
      secret,
      manager,
      deployer,
      viewer,
      asker,
      clusterId: cluster.id,
      space,
      action,
      assigned,
      answered,
      group,
      ...(await makeDashboard(asker, name, space)),
    },
    app: await admin.good(`/portal-api/v2/apps/${app.id}`),
    pod: await podOf(admin, app.id),
    permission: entries.find(({ principal }) => principal.id === asker.id) as Permission,
    preset: await presetOf(deployer, tenant, space.id, `${name}-preset`),
    request: await ask('deployer'),
    entry: await asker.good(`/portal-api/v0/menu/groups/${group.id}/entries/`, { body: pinned }),
    ...(await makeOutside(tenant, { worker, clusterId: cluster.id, space, apps: [app, assigned] })),
  }
}

/** Makes things outside of a team's space: an entry of its cluster's list, requests, and a kubeconfig. */
async function makeOutside(
  { admin, child }: Tenant,
  { worker, clusterId, space, apps }: Pick<Team, 'clusterId' | 'space'> & { worker: Person; apps: [App, App] },
) {
  const ask = (app: App) =>
    worker.good<{ id: string }>(`/deployment/v1/helm/deployment/approvals/${child.version.id}`, {
      body: { appMetadata: metadataOf(app, space), yaml: 'outside: true\n', reason: 'It reads nodes' },
    })
  const [approval, declinedApproval] = [await ask(apps[0]), await ask(apps[1])]
  await admin.good(`/cluster/v1/approvals/${declinedApproval.id}/answer`, { body: { decision: 'decline' } })
  await worker.good('/cluster/v1/kubeconfigs', { body: { places: [{ spaceId: space.id, clusterId }] } })
  const { data } = await worker.good<{ data: { id: string }[] }>('/cluster/v1/kubeconfigs')
  return {
    ...{ approval, declinedApproval, kubeconfig: data[0] ?? { id: '' } },
    rule: await admin.good<{ id: string }>(`/cluster/v1/clusters/${clusterId}/rules`, {
      body: { group: '', kind: 'PersistentVolume' },
    }),
  }
}

export const presetOf = (by: Person, { child }: Tenant, spaceId: string, name: string) =>
  by.good<Preset>('/deployment/v1/presets', {
    body: { name, catalogVersionId: child.version.id, spaceId, yaml: 'replicas: 2\n' },
  })

export function assignBody(tenant: Tenant, space: { id: string }, clusterId: string, displayName: string) {
  const editableAppData = { displayName, color: '#336699', tags: ['common'] }
  return { tenantId: tenant.id, spaceId: space.id, clusterId, catalogChild: tenant.child, editableAppData }
}

export function metadataOf(app: App, space: Space) {
  const { identifier } = app
  return {
    tenantIdentifier: 'demo',
    envIdentifier: space.identifier,
    instanceIdentifier: identifier,
    appIdentifier: identifier,
  }
}

export function deployBody(tenant: Tenant, space: Space, app: App, releaseName: string, yaml: string) {
  const deployData: DeployData = {
    realm: 'demo',
    clusterId: app.clusterId,
    spaceId: app.spaceId,
    namespace: app.namespace,
    appMetadata: metadataOf(app, space),
    yaml,
    catalogChild: tenant.child,
    groups: [],
  }
  return { appId: app.id, versionId: tenant.child.version.id, releaseName, deployData }
}

async function podOf(by: Person, appId: string): Promise<string> {
  for (let left = 100; left > 0; left -= 1) {
    const { data } = await by.good<{ data: { name: string }[] }>(`/cluster/v1/apps/${appId}/pods`)
    if (data[0]) return data[0].name
    await new Promise((next) => setTimeout(next, 100))
  }
  throw new Error('the app has no pod')
}

/** State of a team's things, to compare before and after: it differs when one of them was removed or changed. */
export async function stateOf({ admin, child }: Tenant, team: Team): Promise<unknown> {
  const { space, app, assigned } = team
  const path = `/portal-api/v3/spaces/${space.id}`
  const [found, list, apps, presets, actions, pods] = await Promise.all([
    admin.good<Space>(path),
    admin.good(`${path}/permissions`),
    Promise.all([app, assigned].map(({ id }) => admin.good<App>(`/portal-api/v2/apps/${id}`))),
    admin.good<{ data: Preset[] }>(`/deployment/v1/presets/bycatalogitem/${child.item.id}`),
    admin.good<{ data: Action[] }>(`/deployment/v1/actions?filters.spaceId=${space.id}`),
    admin.good<{ data: { name: string }[] }>(`/cluster/v1/apps/${app.id}/pods`),
  ])
  return {
    found,
    list,
    apps: apps.map(({ state, stateMessage, updatedAt, ...rest }) => rest),
    presets: presets.data.flatMap(({ updatedAt, ...rest }) => (rest.spaceId === space.id ? [rest] : [])),
    actions: actions.data.map(({ id, kind, state }) => [id, kind, state]),
    pods: pods.data.map(({ name }) => name),
    menu: await team.asker.good('/portal-api/v0/menu'),
    links: await admin.good('/portal-api/v2/applinks'),
    sources: await admin.good('/catalog/v1/sources'),
    webhooks: await admin.good('/im/v1/webhooks'),
    dashboard: await team.asker.good(`/dashboard/v3/dashboards/${team.dashboard.id}`),
    shared: await team.asker.good(`/dashboard/v3/dashboards/${team.dashboard.id}/permissions`),
    configurations: await admin.good('/dashboard/v1/configurations'),
    widgets: await admin.good('/dashboard/v1/library?search=reader'),
    asked: await team.asker.good('/portal-api/v3/access-requests/mine'),
    rules: await admin.good(`/cluster/v1/clusters/${team.clusterId}/rules`),
    prices: await admin.good(`/metrics-dashboard/v1/cost/prices/${team.clusterId}`),
    rates: await admin.good('/metrics-dashboard/v1/cost/rates'),
    budget: await admin.good(`/metrics-dashboard/v1/cost/spaces/${space.id}/budget`),
    ...(await outsideOf(admin, team)),
    given: await admin.good('/portal-api/v3/role-grants'),
    realm: await Promise.all(realmPaths.map((each) => admin.good(each))),
  }
}

/** The team's own requests and kubeconfig; people make others of their own meanwhile. */
async function outsideOf(admin: Person, { space, approval, declinedApproval, kubeconfig }: Team) {
  type Found = { data: { id: string; state: string }[] }
  const [asked, handedOut] = await Promise.all([
    admin.good<Found>(`/cluster/v1/approvals?filters.spaceId=${space.id}`),
    admin.good<Found>(`/cluster/v1/spaces/${space.id}/kubeconfigs?page.limit=1000`),
  ])
  const own = [approval, declinedApproval, kubeconfig].map(({ id }) => id)
  const kept = [...asked.data, ...handedOut.data].filter(({ id }) => own.includes(id))
  return { outside: kept.map(({ id, state }) => [id, state]) }
}

/** Words and ids that only a team's own things have. */
export function marksOf(team: Team): string[] {
  const { name, space, app, assigned, action, preset, request, answered, clusterId, permission, group, entry } = team
  const { approval, declinedApproval, kubeconfig } = team
  // The entry of the cluster's list is for everybody who looks at clusters.
  const outside = [approval, declinedApproval, kubeconfig]
  const things = [space, app, assigned, action, preset, request, answered, permission, group, entry, ...outside]
  return [name, space.namespace, clusterId, ...things.map(({ id }) => id)]
}
