import { assignBody, deployBody, metadataOf } from '../../permissions/two-teams.ts'
import {
  action,
  app,
  browse,
  call,
  chart,
  cluster,
  helm,
  kubectl,
  patch,
  post,
  put,
  registered,
  remove,
  type Seen,
  space,
  stage,
  upgradeOf,
} from './doors.ts'

/** Ways into the other team's space. */
type Door = 'page' | 'address' | 'api' | 'socket' | 'kubeconfig' | 'chart'

/** An attempt: refused with a status, or answered with `nothing` to see. */
type Try = readonly [what: string, how: () => Promise<Seen>, ending: number | 'nothing']

/** Attempts of a manager of one team in the space of the other, by the door that they are made through. */
export const triesByDoor: Readonly<Record<Door, readonly Try[]>> = {
  page: [
    ['see its apps on the home page', () => browse('home'), 'nothing'],
    ['see its apps in the list', () => browse('apps'), 'nothing'],
    ['see its spaces in the list', () => browse('spaces'), 'nothing'],
    ['see its requests', () => browse('spaces?tab=requests'), 'nothing'],
    ['see its actions', () => browse('cloud-automation'), 'nothing'],
    [
      'see what is deployed of an item',
      () => browse(`catalog/apps/${stage.tenant.child.item.id}?tab=deployed`),
      'nothing',
    ],
    ['see its kubeconfigs', () => browse('account'), 'nothing'],
  ],
  address: [
    ['open its space', () => browse(`spaces/${stage.theirs.space.id}/overview`), 404],
    ['open its members', () => browse(`spaces/${stage.theirs.space.id}/overview?tab=members`), 404],
    ['open its history', () => browse(`spaces/${stage.theirs.space.id}/overview?tab=members&view=history`), 404],
    ['open its app', () => browse(`apps/${stage.theirs.app.id}`), 404],
    ['open the workloads of its app', () => browse(`apps/${stage.theirs.app.id}?tab=workloads`), 404],
    ['open the metrics of its app', () => browse(`apps/${stage.theirs.app.id}?tab=metrics`), 404],
    ['open the values of its app', () => browse(`apps/${stage.theirs.app.id}?tab=values`), 404],
    ['open its action', () => browse(`cloud-automation/${stage.theirs.action.id}`), 404],
    ['narrow a list to its space', () => browse(`apps?space=${stage.theirs.space.id}`), 'nothing'],
    ['search a list for it', () => browse(`spaces?q=${stage.theirs.name}`), 'nothing'],
  ],
  api: [
    ['read its space', () => call(space()), 404],
    ['rename its space', () => put(space(), { displayName: 'Mine' }), 404],
    ['delete its space', () => remove(space()), 404],
    ['find its space by name', () => call(`/portal-api/v2/spaces?search=${stage.theirs.name}`), 'nothing'],
    ['count its spaces in the tenant', () => call('/portal-api/v2/tenants/byrealm/demo'), 'nothing'],
    ['read who may do what there', () => call(`${space()}/permissions`), 404],
    [
      'become its manager',
      () =>
        call(`${space()}/permissions`, {
          body: { principal: { type: 'user', id: stage.mine.manager.id }, role: 'manager' },
        }),
      404,
    ],
    ['take its owner off the list', () => remove(`${space()}/permissions/${stage.theirs.permission.id}`), 404],
    [
      'take an entry of its list off through the own space',
      () => remove(`/portal-api/v3/spaces/${stage.mine.space.id}/permissions/${stage.theirs.permission.id}`),
      404,
    ],
    [
      'grant what somebody has asked for there',
      () => call(`/portal-api/v3/access-requests/${stage.theirs.request.id}/answer`, { body: { decision: 'grant' } }),
      404,
    ],
    [
      'see what is asked for there',
      () => call(`/portal-api/v3/access-requests?filters.spaceId=${stage.theirs.space.id}`),
      'nothing',
    ],
    [
      'have explained what one may there',
      () => call(`/portal-api/v3/explain?scope=space.view&place=space&id=${stage.theirs.space.id}`),
      404,
    ],
    ['read an app', () => call(app()), 404],
    ['read what an app uses', () => call(`/metrics-dashboard/v1/apps/${stage.theirs.app.id}/usage`), 404],
    ['read what its space uses', () => call(`/metrics-dashboard/v1/spaces/${stage.theirs.space.id}/usage`), 404],
    ['find an app by name', () => call(`/portal-api/v2/apps?search=${stage.theirs.name}`), 'nothing'],
    [
      'list the apps of its space',
      () => call(`/portal-api/v2/apps?filters.spaceId=${stage.theirs.space.id}`),
      'nothing',
    ],
    ['rename an app', () => patch(app(), { displayName: 'Mine' }), 404],
    [
      'move an own app into its space',
      () => patch(`/portal-api/v2/apps/${stage.mine.app.id}`, { spaceId: stage.theirs.space.id }),
      400,
    ],
    ['move an app into the own space', () => patch(app(), { spaceId: stage.mine.space.id }), 400],
    ['tag an app', () => put(`${app()}/tags/mine`, undefined), 404],
    ['untag an app', () => remove(`${app()}/tags/common`), 404],
    [
      'assign an app into its space',
      () => post('Assign', assignBody(stage.tenant, stage.theirs.space, stage.theirs.clusterId, 'Mine')),
      404,
    ],
    [
      'assign an app to its cluster',
      () => post('Assign', assignBody(stage.tenant, stage.mine.space, stage.theirs.clusterId, 'Mine')),
      404,
    ],
    [
      'deploy what it has assigned',
      () =>
        post('Deploy', deployBody(stage.tenant, stage.theirs.space, stage.theirs.assigned, 'mine', 'code: stolen12\n')),
      404,
    ],
    [
      'deploy an own app into its namespace',
      () =>
        post('Upgrade', {
          ...upgradeOf(stage.mine),
          deployData: { ...upgradeOf(stage.mine).deployData, namespace: stage.theirs.app.namespace },
        }),
      400,
    ],
    ['upgrade an app', () => post('Upgrade', upgradeOf(stage.theirs)), 404],
    [
      'prepare an upgrade, with the values that it runs with',
      () =>
        post('Prepare', {
          catalogItemId: stage.tenant.child.item.id,
          catalogVersionId: stage.tenant.child.version.id,
          catalogItemType: stage.tenant.child.item.type,
          appKind: stage.tenant.child.item.appKind,
          appId: stage.theirs.app.id,
        }),
      404,
    ],
    [
      'preview an upgrade',
      () =>
        put(`${helm}/preview/${stage.tenant.child.version.id}`, {
          appMetadata: metadataOf(stage.theirs.app, stage.theirs.space),
        }),
      404,
    ],
    [
      'validate values for an app',
      () =>
        put(`${helm}/validate/${stage.tenant.child.version.id}`, {
          appMetadata: metadataOf(stage.theirs.app, stage.theirs.space),
          yaml: 'a: 1\n',
        }),
      404,
    ],
    ['roll an app back', () => post('Rollback', { appId: stage.theirs.app.id, revision: 1 }), 404],
    ['delete an app', () => post('Delete', { app: { id: stage.theirs.app.id } }), 404],
    ['read a revision', () => call(`${helm}/revision/${stage.theirs.app.id}/1`), 404],
    ['compare revisions', () => call(`${helm}/compare/${stage.theirs.app.id}?from=1&to=1`), 404],
    ['read what runs of an app', () => call(cluster('overview')), 404],
    ['read the log of a pod', () => call(`/log/v1/apps/${stage.theirs.app.id}/pods/${stage.theirs.pod}`), 404],
    ['read the logs of an app', () => call(`/log/v1/apps/${stage.theirs.app.id}/lines`), 404],
    ['read the logs of a space', () => call(`/log/v1/spaces/${stage.theirs.space.id}/lines`), 404],
    [
      'read the log of its pod through an own app',
      () => call(`/log/v1/apps/${stage.mine.app.id}/pods/${stage.theirs.pod}`),
      404,
    ],
    [
      'delete its pod through an own app',
      () => remove(`/cluster/v1/apps/${stage.mine.app.id}/${stage.theirs.app.namespace}/pods/${stage.theirs.pod}`),
      404,
    ],
    ['read its events in the ledger', () => call(`${action()}/events`), 404],
    ['cancel an action', () => call(`${action()}/cancel`, { method: 'POST' }), 404],
    ['abort an action', () => call(`${action()}/abort`, { method: 'POST' }), 404],
    ['do an action again', () => call(`${action()}/retry`, { method: 'POST' }), 404],
    ['list its actions', () => call(`/deployment/v1/actions?filters.spaceId=${stage.theirs.space.id}`), 'nothing'],
    ['learn who works there', () => call('/deployment/v1/actions/people'), 'nothing'],
    [
      'list what is deployed of an item',
      () => call(`${helm}/deployed/${stage.tenant.id}/${stage.tenant.child.item.id}`),
      'nothing',
    ],
    [
      'read deployed apps by their ids',
      () => call(`${helm}/deployed/${stage.tenant.id}/ids`, { body: [stage.theirs.app.id, stage.theirs.assigned.id] }),
      'nothing',
    ],
    ['read its presets', () => call(`/deployment/v1/presets/bycatalogitem/${stage.tenant.child.item.id}`), 'nothing'],
    ['rename its preset', () => patch(`/deployment/v1/presets/${stage.theirs.preset.id}`, { name: 'Mine' }), 404],
    [
      'leave a preset there',
      () =>
        call('/deployment/v1/presets', {
          body: {
            name: 'Mine',
            catalogVersionId: stage.tenant.child.version.id,
            spaceId: stage.theirs.space.id,
            yaml: 'replicas: 3\n',
          },
        }),
      404,
    ],
    [
      'pin its space',
      async () =>
        call(
          `/portal-api/v0/menu/groups/${(await stage.mine.manager.good<{ id: string }>('/portal-api/v0/menu/groups', { body: { title: 'Mine' } })).id}/entries/`,
          { body: { type: 'spaces', selectedEntryId: stage.theirs.space.id, name: 'Mine' } },
        ),
      404,
    ],
    ['change its side bars', () => put(`/portal-api/v0/menu/groups/${stage.theirs.group.id}`, { title: 'Mine' }), 404],
    [
      'get a kubeconfig for its space',
      () =>
        call('/cluster/v1/kubeconfigs', {
          body: { places: [{ spaceId: stage.theirs.space.id, clusterId: stage.theirs.clusterId }] },
        }),
      404,
    ],
    [
      'get one for both spaces at once',
      () =>
        call('/cluster/v1/kubeconfigs', {
          body: {
            places: [stage.mine, stage.theirs].map((team) => ({ spaceId: team.space.id, clusterId: team.clusterId })),
          },
        }),
      404,
    ],
    [
      'get one for the own space on its cluster',
      () =>
        call('/cluster/v1/kubeconfigs', {
          body: { places: [{ spaceId: stage.mine.space.id, clusterId: stage.theirs.clusterId }] },
        }),
      404,
    ],
    ['name the clusters of others', () => call('/cluster/v1/clusters/list'), 'nothing'],
    [
      'read the registry secrets of its space',
      () => call(`/cluster/v1/secrets/spaces/${stage.theirs.space.id}/clusters/${stage.theirs.clusterId}`),
      404,
    ],
  ],
  socket: [
    ['follow its release live', () => registered({ releaseName: stage.theirs.app.releaseName, lastSeq: 0 }), 'nothing'],
    [
      'follow its action live',
      () => registered({ releaseName: stage.theirs.app.releaseName, actionId: stage.theirs.action.id, lastSeq: 0 }),
      'nothing',
    ],
  ],
  kubeconfig: [
    ['list its pods by the own kubeconfig', () => kubectl(`get pods -n ${stage.theirs.app.namespace}`), 403],
    [
      'read its Secrets by the own kubeconfig',
      () => kubectl(`get secrets -n ${stage.theirs.app.namespace} -o yaml`),
      403,
    ],
    ['read Secrets of the whole cluster', () => kubectl('get secrets -A -o yaml'), 403],
  ],
  chart: [
    ['read its Secret by a template', () => lookUp(stage.theirs.app.releaseName ?? ''), 'nothing'],
    ['list its Secrets by a template', () => lookUp(''), 'nothing'],
    ['list the namespaces by a template', () => chart('{{ lookup "v1" "Namespace" "" "" | toJson }}'), 'nothing'],
  ],
}

/** Looks Secrets of the other team up; the template does not name its namespace in plain, because a preview repeats it. */
function lookUp(name: string): Promise<Seen> {
  const [namespace, secret] = [stage.theirs.app.namespace, name].map((text) => `("${btoa(text)}" | b64dec)`)
  return chart(`{{ lookup "v1" "Secret" ${namespace} ${secret} | toJson }}`)
}
