import type { App } from '@quayside/contract/apps/endpoints'
import type { TopicName } from '@quayside/contract/capabilities'
import type { Story } from '@quayside/embedded/story/story'
import type { Team, Teams } from '../security/team-with-charts.ts'

/** A tenant with its administrator, and a team with a deployer, a space and an app on a cluster. */
export interface Watched {
  teams: Teams
  admin: Story
  team: Team
  app: App
}

/** One change that a topic tells of, and who hears it besides. */
interface TopicTry {
  /** The thing that the change is about; also watched by its id. Undefined where each change makes its own thing. */
  id(watched: Watched): string | undefined
  /** Makes the change; it can be made again. */
  change(watched: Watched): Promise<unknown>
  /** Listener that hears it: somebody of the team, or the administrator where the topic is not one of spaces. */
  heardBy: 'deployer' | 'administrator'
  /** Listeners besides, though they are in no space: with the id of the thing or without. */
  alsoHeardBy?: Partial<Record<'member without a space' | 'person without a role', 'with its id' | 'without its id'>>
}

let made = 0
const next = (what: string) => {
  made += 1
  return `${what} ${made}`
}

const patchCluster = ({ admin, teams: { cluster } }: Watched) =>
  admin.good(`/cluster/v1/clusters/${cluster.id}`, { method: 'PUT', body: { displayName: next('Here') } })

/** Needs an approval, because it reads what no space has. */
const outside = (name: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: ${name.replace(' ', '-')}}
rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]
`

/** How each topic of the live connection is made to tell something. A topic that is not here does not compile. */
export const topicTries: Readonly<Record<TopicName, TopicTry>> = {
  spaces: {
    id: ({ team }) => team.space.id,
    change: ({ admin, team: { space }, teams: { cluster } }) =>
      admin.good(`/portal-api/v3/spaces/${space.id}`, {
        method: 'PUT',
        body: { displayName: next('Team'), clusterIds: [cluster.id] },
      }),
    heardBy: 'deployer',
  },
  app: {
    id: ({ app }) => app.id,
    change: ({ team, app }) => team.story.good(`/portal-api/v2/apps/${app.id}/tags/heard`, { method: 'PUT' }),
    heardBy: 'deployer',
  },
  apps: { id: () => undefined, change: ({ teams, team }) => teams.assign(team), heardBy: 'deployer' },
  'app-links': {
    id: () => undefined,
    change: ({ admin }) =>
      admin.good('/portal-api/v2/applinks', { body: { name: next('Link'), url: 'https://wiki.example.org' } }),
    heardBy: 'deployer',
    alsoHeardBy: { 'member without a space': 'without its id', 'person without a role': 'without its id' },
  },
  dashboards: {
    id: () => undefined,
    change: ({ admin }) => admin.good('/dashboard/v3/dashboards', { body: { displayName: next('Board') } }),
    heardBy: 'deployer',
    alsoHeardBy: { 'member without a space': 'without its id', 'person without a role': 'without its id' },
  },
  ownDashboards: {
    id: ({ team }) => team.story.userId,
    change: ({ team }) => team.story.good('/dashboard/v1/home', { method: 'PUT', body: { choice: 'portal' } }),
    heardBy: 'deployer',
  },
  actions: { id: () => undefined, change: ({ teams, team }) => teams.assign(team), heardBy: 'deployer' },
  requests: {
    id: () => undefined,
    async change({ team: { story, space } }) {
      const { id } = await story.good<{ id: string }>(`/portal-api/v3/spaces/${space.id}/access-requests`, {
        body: { role: 'manager', reason: 'Mine', hours: null },
      })
      await story.call(`/portal-api/v3/access-requests/${id}`, { method: 'DELETE' })
    },
    heardBy: 'deployer',
  },
  'role-requests': {
    id: () => undefined,
    async change({ team: { story } }) {
      const { id } = await story.good<{ id: string }>('/portal-api/v3/role-requests', {
        body: { role: 'catalog-apps:catalog.publish', reason: 'Mine', hours: null },
      })
      await story.call(`/portal-api/v3/access-requests/${id}`, { method: 'DELETE' })
    },
    heardBy: 'administrator',
    alsoHeardBy: { 'member without a space': 'without its id', 'person without a role': 'without its id' },
  },
  approvals: {
    id: () => undefined,
    change: ({ teams, team, app }) => teams.ask(team, app, outside(next('reader'))),
    heardBy: 'deployer',
  },
  menu: {
    id: ({ team }) => team.story.userId,
    change: ({ team }) => changeOwnMenu(team.story),
    heardBy: 'deployer',
  },
  inbox: {
    id: ({ team }) => team.story.userId,
    change: ({ team }) => team.story.good('/im/v1/notifications/read', { method: 'POST' }),
    heardBy: 'deployer',
  },
  catalog: {
    id: ({ teams }) => teams.child.item.id,
    change: ({ admin, teams: { child } }) => {
      made += 1
      const path = `/catalog/v2/items/${child.item.id}/featured/${made % 2 === 0}`
      return admin.good(path, { method: 'PATCH' })
    },
    heardBy: 'deployer',
    alsoHeardBy: { 'member without a space': 'with its id' },
  },
  'catalog-sources': {
    id: () => undefined,
    change: ({ admin }) =>
      admin.good('/catalog/v1/sources', {
        body: { name: next('Charts'), kind: 'helm', address: 'https://charts.invalid', everyHours: null },
      }),
    heardBy: 'administrator',
  },
  webhooks: {
    id: () => undefined,
    change: ({ admin }) =>
      admin.good('/im/v1/webhooks', {
        body: { name: next('Pager'), url: 'https://hooks.invalid', events: ['app-health'], enabled: false },
      }),
    heardBy: 'administrator',
  },
  clusters: {
    id: ({ teams }) => teams.cluster.id,
    change: patchCluster,
    heardBy: 'administrator',
    alsoHeardBy: { 'member without a space': 'without its id', 'person without a role': 'without its id' },
  },
  cluster: { id: ({ teams }) => teams.cluster.id, change: patchCluster, heardBy: 'administrator' },
}

/** Something that every person hears of their own alone, and so a mark in what they hear. */
export async function changeOwnMenu(story: Story): Promise<void> {
  const { id } = await story.good<{ id: string }>('/portal-api/v0/menu/groups', { body: { title: next('Mine') } })
  await story.call(`/portal-api/v0/menu/groups/${id}`, { method: 'DELETE' })
}
