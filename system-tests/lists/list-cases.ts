import type { AppLink } from '@quayside/contract/app-links/endpoints'
import type { App } from '@quayside/contract/apps/endpoints'
import type { AuditEntry } from '@quayside/contract/audit/endpoints'
import type { CatalogItem } from '@quayside/contract/catalog/endpoints'
import type { Cluster, ClusterEvent } from '@quayside/contract/clusters/endpoints'
import type { HandedOutKubeconfig } from '@quayside/contract/clusters/kubeconfigs'
import type { Approval } from '@quayside/contract/clusters/rules'
import type { Action } from '@quayside/contract/deployments/endpoints'
import type { OutboxMail } from '@quayside/contract/mail/endpoints'
import type { AccessRequest } from '@quayside/contract/permissions/access-requests'
import type { PermissionEvent } from '@quayside/contract/permissions/endpoints'
import type { RoleGrant } from '@quayside/contract/permissions/role-requests'
import type { Space } from '@quayside/contract/spaces/endpoints'
import type { Unlocking } from '@quayside/contract/users/lockouts'
import { dashboardListCases } from './dashboard-list-cases.ts'
import { iamListCases } from './iam-list-cases.ts'
import { type ListCase, listCase, searchesIn } from './list-case.ts'
import type { Listed } from './list-world.ts'

const ranks = { valid: 0, ending: 1, ended: 2 }
const kubeconfigs = listCase<HandedOutKubeconfig>({
  params: ({ spaces, teams }) => ({ id: spaces[0]?.id ?? teams.cluster.id }),
  sorts: {},
  usually: [
    [({ state }) => ranks[state], 'ASC'],
    [({ issuedAt }) => issuedAt, 'DESC'],
  ],
  filters: {},
  searches: {},
})

const secondApp = ({ apps }: Listed) => apps[1] as App

/** Every list of the contract by its address: one that is not here fails. */
export const listCases: Readonly<Record<string, ListCase>> = {
  'GET /iam/v3/unlockings': listCase<Unlocking>({
    sorts: {},
    usually: [[({ at }) => at, 'DESC']],
    filters: {},
    searches: {},
  }),
  'GET /portal-api/v1/audit': listCase<AuditEntry>({
    only: ({ changerId }) => ({ filters: { who: changerId } }),
    sorts: {},
    usually: [[({ at }) => at, 'DESC']],
    filters: {
      capability: { by: () => 'sidebar', keeps: ({ capability }) => capability === 'sidebar' },
      outcome: { by: () => 'refused', keeps: ({ outcome }) => outcome === 'refused' },
      who: { by: () => 'nobody', keeps: () => false },
      about: { by: () => 'nothing', keeps: ({ about }) => about.id === 'nothing' },
      from: { by: () => '2100-01-01', keeps: () => false },
      to: { by: () => '2000-01-01', keeps: () => false },
    },
    searches: {
      ...searchesIn<AuditEntry>(({ about }) => Object.values(about).join('\n')),
      'add a GROUP': ({ capability }) => capability === 'sidebar',
    },
  }),
  'GET /iam/v3/outbox': listCase<OutboxMail>({
    sorts: {},
    usually: [[({ createdAt }) => createdAt, 'DESC']],
    filters: { status: { by: () => 'kept', keeps: ({ status }) => status === 'kept' } },
    searches: searchesIn(({ to }) => to),
  }),
  'GET /portal-api/v2/spaces': listCase<Space>({
    sorts: {
      createdAt: ({ createdAt }) => createdAt,
      name: ({ name }) => name,
      displayName: ({ displayName }) => displayName,
    },
    usually: [[({ createdAt }) => createdAt, 'ASC']],
    filters: {},
    searches: searchesIn(({ displayName, name }) => `${displayName} ${name}`),
  }),
  'GET /portal-api/v2/apps': listCase<App>({
    sorts: {
      displayName: ({ displayName }) => displayName,
      name: ({ name }) => name,
      createdAt: ({ createdAt }) => createdAt,
      updatedAt: ({ updatedAt }) => updatedAt,
      state: ({ state }) => state,
      version: ({ version }) => version,
    },
    usually: [[({ updatedAt }) => updatedAt, 'DESC']],
    filters: {
      spaceId: { by: ({ spaces }) => spaces[0]?.id ?? '', keeps: (row, { spaces }) => row.spaceId === spaces[0]?.id },
      clusterId: {
        by: (listed) => secondApp(listed).clusterId,
        keeps: (row, listed) => row.clusterId === secondApp(listed).clusterId,
      },
      state: { by: () => ['failed', 'healthy'], keeps: ({ state }) => state === 'failed' || state === 'healthy' },
      catalogItemId: {
        by: (listed) => secondApp(listed).catalogItemId,
        keeps: (row, listed) => row.catalogItemId === secondApp(listed).catalogItemId,
      },
      appType: { by: () => 'SaaS', keeps: ({ appType }) => appType === 'SaaS' },
      kind: { by: () => 'solution', keeps: ({ itemType }) => itemType === 'Solution' },
      tag: { by: () => 'odd', keeps: ({ tags }) => tags.includes('odd') },
    },
    searches: searchesIn(({ displayName, spaceName, catalogItemName }) =>
      [displayName, spaceName, catalogItemName].join(' '),
    ),
  }),
  'GET /portal-api/v2/applinks': listCase<AppLink>({
    sorts: {
      name: ({ name }) => name,
      createdAt: ({ createdAt }) => createdAt,
      updatedAt: ({ updatedAt }) => updatedAt,
    },
    usually: [[({ name }) => name, 'ASC']],
    filters: { tag: { by: () => 'odd', keeps: ({ tags }) => tags.includes('odd') } },
    searches: {
      ...searchesIn(({ name, url, description, tags }) => [name, url, description, ...tags].join(' ')),
      'link-3.example': ({ url }) => url.includes('link-3.example'),
      'number 4': ({ description }) => description === 'Number 4',
      even: ({ tags }) => tags.includes('even'),
    },
  }),
  ...dashboardListCases,
  'GET /deployment/v1/actions': listCase<Action>({
    sorts: {
      acceptedAt: ({ acceptedAt }) => acceptedAt,
      finishedAt: ({ finishedAt }) => finishedAt ?? '',
      appName: ({ appName }) => appName ?? '',
      kind: ({ kind }) => kind,
    },
    usually: [
      [({ running }) => running, 'DESC'],
      [({ acceptedAt }) => acceptedAt, 'DESC'],
    ],
    filters: {
      kind: { by: () => 'Deploy', keeps: ({ kind }) => kind === 'Deploy' },
      appId: { by: ({ apps }) => apps[4]?.id ?? '', keeps: ({ appId }, { apps }) => appId === apps[4]?.id },
      spaceId: { by: ({ spaces }) => spaces[0]?.id ?? '', keeps: (row, { spaces }) => row.spaceId === spaces[0]?.id },
      clusterId: {
        by: (listed) => secondApp(listed).clusterId,
        keeps: (row, listed) => row.clusterId === secondApp(listed).clusterId,
      },
      releaseName: {
        by: ({ apps }) => apps[5]?.releaseName ?? '',
        keeps: ({ releaseName }, { apps }) => releaseName === apps[5]?.releaseName,
      },
      startedBy: { by: ({ startedBy }) => startedBy, keeps: (row, { startedBy }) => row.startedBy === startedBy },
      state: { by: () => 'Failed', keeps: ({ state }) => state === 'Failed' },
    },
    searches: searchesIn(({ appName, spaceName, releaseName, startedBy }) =>
      [appName, spaceName, releaseName, startedBy].join(' '),
    ),
  }),
  'GET /portal-api/v3/access-requests': listCase<AccessRequest>({
    sorts: {},
    usually: [[({ createdAt }) => createdAt, 'ASC']],
    filters: {
      spaceId: { by: ({ spaces }) => spaces[0]?.id ?? '', keeps: (row, { spaces }) => row.space?.id === spaces[0]?.id },
    },
    searches: {},
  }),
  'GET /portal-api/v3/access-requests/mine': listCase<AccessRequest>({
    as: 'asker',
    sorts: {},
    usually: [[({ createdAt }) => createdAt, 'DESC']],
    filters: {},
    searches: {},
  }),
  'GET /portal-api/v3/role-requests': listCase<AccessRequest>({
    sorts: {},
    usually: [[({ createdAt }) => createdAt, 'ASC']],
    filters: {},
    searches: {},
  }),
  'GET /portal-api/v3/role-grants': listCase<RoleGrant>({
    sorts: {},
    usually: [[({ grantedAt }) => grantedAt, 'DESC']],
    filters: {},
    searches: {},
  }),
  'GET /portal-api/v3/role-grants/history': listCase<PermissionEvent>({
    sorts: {},
    usually: [[({ at }) => at, 'DESC']],
    filters: {},
    searches: {
      'clusters.edit': ({ role }) => role.startsWith('clusters.edit'),
      'nothing like it': () => false,
      '%': () => false,
    },
  }),
  'GET /portal-api/v3/spaces/:id/permissions/history': listCase<PermissionEvent>({
    params: ({ spaces }) => ({ id: spaces[0]?.id ?? '' }),
    sorts: {},
    usually: [[({ at }) => at, 'DESC']],
    filters: {},
    searches: { deployer: ({ role }) => role === 'Deployer', 'nothing like it': () => false, '%': () => false },
  }),
  'GET /catalog/v2/items': listCase<CatalogItem>({
    sorts: {
      displayName: ({ displayName }) => displayName,
      name: ({ name }) => name,
      category: ({ category }) => category,
      manufacturer: ({ manufacturer }) => manufacturer.name,
      featured: ({ featured }) => featured,
      createdAt: ({ createdAt }) => createdAt,
      updatedAt: ({ updatedAt }) => updatedAt,
    },
    usually: [
      [({ featured }) => featured, 'DESC'],
      [({ displayName }) => displayName, 'ASC'],
    ],
    filters: {
      type: { by: () => 'Solution', keeps: ({ type }) => type === 'Solution' },
      appType: { by: () => ['SaaS', 'Legacy'], keeps: ({ appType }) => appType === 'SaaS' || appType === 'Legacy' },
      category: { by: () => 'Storage', keeps: ({ category }) => category === 'Storage' },
      name: { by: () => 'item-b', keeps: ({ name }) => name === 'item-b' },
      featured: { by: () => 'true', keeps: ({ featured }) => featured },
      kind: { by: () => 'solution', keeps: ({ type }) => type === 'Solution' },
      manufacturer: { by: () => 'a_b', keeps: ({ manufacturer }) => manufacturer.name === 'a_b' },
      tag: { by: () => 'green', keeps: ({ tags }) => tags.includes('green') },
      visible: { by: () => 'false', keeps: ({ visible }) => !visible },
      enabled: { by: () => 'false', keeps: ({ enabled }) => !enabled },
      source: { by: () => 'nothing', keeps: ({ source }) => source?.id === 'nothing' },
    },
    searches: searchesIn(({ displayName, name, manufacturer, category, tags }) =>
      [displayName, name, manufacturer.name, category, ...tags].join(' '),
    ),
  }),
  'GET /catalog/v2/manufacturers': listCase<{ id: string; name: string; itemCount: number }>({
    sorts: { name: ({ name }) => name, itemCount: ({ itemCount }) => itemCount },
    usually: [[({ name }) => name, 'ASC']],
    filters: {},
    searches: {
      '0% o': ({ name }) => name.includes('0% o'),
      a_b: ({ name }) => name === 'a_b',
      'one;two': ({ name }) => name === 'one;two',
      'g & s': ({ name }) => name === 'Borg & Sons',
    },
  }),
  'GET /cluster/v2/clusters': listCase<Cluster>({
    sorts: {
      name: ({ name }) => name,
      displayName: ({ displayName }) => displayName,
      createdAt: ({ createdAt }) => createdAt,
      health: ({ health }) => health,
    },
    usually: [[({ createdAt }) => createdAt, 'ASC']],
    filters: {
      health: { by: () => ['unreachable'], keeps: ({ health }) => health === 'unreachable' },
    },
    searches: searchesIn(({ displayName, name }) => `${displayName} ${name}`),
  }),
  'GET /cluster/v2/clusters/:id/events': listCase<ClusterEvent>({
    params: ({ teams }) => ({ id: teams.cluster.id }),
    // Controllers add events of their own.
    only: () => ({ search: 'Listed' }),
    sorts: { at: ({ at }) => at },
    usually: [[({ at }) => at, 'DESC']],
    filters: {
      type: { by: () => 'Warning', keeps: ({ type }) => type === 'Warning' },
      namespace: { by: () => 'listed', keeps: ({ object }) => object.namespace === 'listed' },
      kind: { by: () => 'Job', keeps: ({ object }) => object.kind === 'Job' },
      name: { by: () => ['thing-0', 'thing-1'], keeps: ({ object }) => object.name !== 'thing-2' },
    },
    searches: searchesIn(({ message }) => message),
  }),
  'GET /cluster/v1/kubeconfigs': kubeconfigs,
  'GET /cluster/v1/spaces/:id/kubeconfigs': kubeconfigs,
  'GET /cluster/v1/clusters/:id/kubeconfigs': { ...kubeconfigs, params: ({ teams }) => ({ id: teams.cluster.id }) },
  'GET /cluster/v1/approvals': listCase<Approval>({
    sorts: {},
    usually: [
      [({ state }) => state === 'open', 'DESC'],
      [({ askedAt }) => askedAt, 'DESC'],
    ],
    filters: {
      state: { by: () => 'declined', keeps: ({ state }) => state === 'declined' },
      clusterId: {
        by: ({ approvals }) => approvals[0]?.cluster.id ?? '',
        keeps: ({ cluster }, { approvals }) => cluster.id === approvals[0]?.cluster.id,
      },
      spaceId: {
        by: ({ approvals }) => approvals[2]?.space.id ?? '',
        keeps: ({ space }, { approvals }) => space.id === approvals[2]?.space.id,
      },
      appId: {
        by: ({ approvals }) => approvals[0]?.app.id ?? '',
        keeps: ({ app }, { approvals }) => app.id === approvals[0]?.app.id,
      },
    },
    searches: {},
  }),
  ...iamListCases,
}
