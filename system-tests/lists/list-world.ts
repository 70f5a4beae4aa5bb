import { readFileSync } from 'node:fs'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { Approval } from '@quayside/contract/clusters/rules'
import type { Action } from '@quayside/contract/deployments/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { packFiles } from '@quayside/embedded/seed/chart-package'
import { createStory, type Story } from '@quayside/embedded/story/story'
import type { World } from '@quayside/embedded/world'
import { expect, vi } from 'vitest'
import { type Team, type Teams, teamsOn } from '../security/team-with-charts.ts'

/** Things for every list, made through the calls that make them. */
export interface Listed {
  teams: Teams
  admin: Story
  /** Sees two spaces, and asks for more in them. */
  asker: Story
  spaces: Space[]
  apps: App[]
  approvals: Approval[]
  /** A group that the people are in, who also have the role `listed`. */
  groupId: string
  /** A client to which three people have signed in, and a role of it that the people have. */
  clientId: string
  clientRoleId: string
  /** One of the three. */
  signedInId: string
  /** Id of whoever has made a few entries of the audit log, and nothing else. */
  changerId: string
  /** User name of the person who has started one action. */
  startedBy: string
}

/** Names in which what has a meaning in a query or a pattern stands beside what it would match as one. */
const oddNames = ['delta 50% off', 'Charlie 50x off', 'bravo a_b', 'Alpha axb', 'echo one;two', 'Foxtrot one&two']

export async function makeListed(world: World): Promise<Listed> {
  const teams = await teamsOn(world)
  const { admin } = teams
  const operator = createStory(world, await world.tokenFor({ realmRoles: ['quayside-operator'] }))
  const asker = createStory(world, await world.tokenFor({ realmRoles: ['quayside-member'] }))
  const clusters = await makeClusters(world, teams)
  const items = await makeItems(admin)
  const spaces = await makeSpaces(admin, asker, [teams.cluster.id, clusters[0]?.id ?? ''])
  const apps = await makeApps({ ...teams, operator }, items, spaces)
  const approvals = await makeApprovals(teams, spaces)
  await makeRequests(admin, asker, spaces)
  await makeRoleRequests(admin, asker)
  const groupId = await makeUsers(world)
  await makeMails(admin)
  await makeAppLinks(admin)
  await makeUnlockings(world, admin)
  // Changes until here would be more pages than are turned one by one.
  await (await world.directory()).remove('/admin-events')
  const ofClients = await makeApplications(world, admin)
  const places = spaces.slice(0, 3).map(({ id }) => ({ spaceId: id, clusterId: teams.cluster.id }))
  for (const place of [...places, ...places.slice(0, 1), ...places.slice(0, 1)])
    await admin.good('/cluster/v1/kubeconfigs', { body: { places: [place] } })
  await makeEvents(teams)
  const changerId = await makeAuditEntries(world)
  const { data } = await admin.good<{ data: Action[] }>(`/deployment/v1/actions?filters.appId=${apps[1]?.id}`)
  return {
    teams,
    admin,
    asker,
    spaces,
    apps,
    approvals,
    groupId,
    changerId,
    ...ofClients,
    startedBy: data[0]?.startedBy ?? '',
  }
}

/** Two that answer, and others that do not. */
async function makeClusters(world: World, { admin }: Teams): Promise<Cluster[]> {
  const made: Cluster[] = []
  const answering = readFileSync(world.kubeconfig, 'utf8')
  for (const displayName of oddNames) {
    const silent = answering.replace(/(https?:\/\/[^:/"]+):\d+/, '$1:1')
    const body = { displayName, kubeconfig: made.length < 2 ? answering : silent, clusterScoped: true }
    made.push(await admin.good('/cluster/v1/clusters', { body }))
  }
  return made
}

const itemFacts = [
  { type: 'App', appType: 'Containerized', category: 'Database', tag: 'blue', maker: 'Borg & Sons' },
  { type: 'Solution', appType: 'SaaS', category: 'Networking', tag: 'green', maker: 'acme 50% off' },
  { type: 'App', appType: 'Legacy', category: 'Database', tag: 'green', maker: 'acme 50x off' },
  { type: 'App', appType: 'Serverless', category: 'Storage', tag: 'red', maker: 'a_b' },
  { type: 'App', appType: 'Containerized', category: 'Storage', tag: 'red', maker: 'Axb' },
  { type: 'Solution', appType: 'Containerized', category: 'Database', tag: 'blue', maker: 'one;two' },
]

async function makeItems(admin: Story): Promise<CatalogChild[]> {
  const made: CatalogChild[] = []
  // With the chart of the teams a second one whose publisher nobody knows.
  await admin.uploadSmall('small', '1.0.0')
  for (const [at, displayName] of oddNames.entries()) {
    const { type, appType, category, tag, maker } = itemFacts[at] as (typeof itemFacts)[number]
    const said = { 'display-name': displayName, 'item-type': type, 'app-type': appType, manufacturer: maker }
    const annotations = { ...said, category, tags: tag, featured: String(at === 2) }
    const lines = Object.entries(annotations).map(
      ([name, value]) => `  quayside.io/${name}: ${JSON.stringify(value)}\n`,
    )
    const name = `item-${'fbdace'[at]}`
    const head = `apiVersion: v2\nname: ${name}\nversion: ${at % 2 === 0 ? '1.0.0' : '2.0.0'}\n`
    made.push(await admin.upload(await packFiles(name, { 'Chart.yaml': `${head}annotations:\n${lines.join('')}` })))
  }
  return made
}

async function makeSpaces(admin: Story, asker: Story, clusterIds: string[]): Promise<Space[]> {
  const made: Space[] = []
  for (const displayName of oddNames) {
    const members = made.length < 2 ? [{ principal: { type: 'user', id: asker.userId }, role: 'viewer' }] : []
    made.push(await admin.good('/portal-api/v3/spaces', { body: { displayName, clusterIds, members } }))
  }
  return made
}

type Making = Teams & { operator: Story }

async function makeApps(
  { admin, operator, child, deploy }: Making,
  items: CatalogChild[],
  spaces: Space[],
): Promise<App[]> {
  const tenantId = await admin.tenantId()
  const made: App[] = []
  for (const [at, displayName] of oddNames.entries()) {
    const space = spaces[at % 3] as Space
    const body = {
      tenantId,
      spaceId: space.id,
      clusterId: space.clusters[at % 2]?.id,
      catalogChild: at < 4 ? items[at] : child,
      editableAppData: { displayName, color: '#336699', tags: [at % 2 === 0 ? 'even' : 'odd'] },
    }
    made.push(await (at === 1 ? operator : admin).good('/deployment/v1/helm/deployment/actions.Assign', { body }))
  }
  // The last two differ from the others in their state, and the actions in kind, state and name of the release.
  const [failing, working] = [made[4] as App, made[5] as App]
  const spaceOf = (app: App) => ({ space: spaces.find(({ id }) => id === app.spaceId) as Space, story: admin })
  await deploy(spaceOf(failing), admin, failing, '{{ fail "on purpose" }}')
  await deploy(spaceOf(working), admin, working, '')
  return Promise.all(made.map(({ id }) => admin.good<App>(`/portal-api/v2/apps/${id}`)))
}

const reader = (name: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: ${name}}
rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]
`

async function makeApprovals(teams: Teams, spaces: Space[]): Promise<Approval[]> {
  const { admin, child } = teams
  const [first, second] = spaces as [Space, Space]
  const made: Approval[] = []
  for (const [at, [space, cluster]] of [[first, 0] as const, [first, 1] as const, [second, 0] as const].entries()) {
    const team: Team = { space, story: admin }
    const app = await admin.good<App>('/deployment/v1/helm/deployment/actions.Assign', {
      body: {
        tenantId: await admin.tenantId(),
        spaceId: space.id,
        clusterId: space.clusters[cluster]?.id,
        catalogChild: child,
      },
    })
    const { status, body } = await teams.ask(team, app, reader(`asked-${at}`))
    if (status !== 201) throw new Error(`it was not asked for: ${JSON.stringify(body)}`)
    made.push(body)
  }
  await teams.answer(admin, made[1] as Approval, 'decline')
  return made
}

async function makeRequests(admin: Story, asker: Story, spaces: Space[]): Promise<void> {
  for (const { id } of spaces.slice(0, 2)) {
    for (const role of ['deployer', 'manager'])
      await asker.good(`/portal-api/v3/spaces/${id}/access-requests`, { body: { role, reason: 'Mine', hours: null } })
    for (const role of ['deployer', 'manager'])
      await admin.good(`/portal-api/v3/spaces/${id}/permissions`, {
        body: { principal: { type: 'role', id: 'quayside-viewer' }, role },
      })
  }
}

/** Three that wait for an answer, and three that were granted. */
async function makeRoleRequests(admin: Story, asker: Story): Promise<void> {
  const path = '/portal-api/v3/role-requests'
  for (const name of ['create', 'edit', 'delete', 'view', 'events.view', 'deregister']) {
    const body = { role: `clusters:clusters.${name}`, reason: 'Mine', hours: null }
    const { id } = await asker.good<{ id: string }>(path, { body })
    if (/^(create|delete|deregister)$/.test(name))
      await admin.good(`${path}/${id}/answer`, { body: { decision: 'grant' } })
  }
}

/** Three people who were locked out by one wrong password each, and let in again. */
async function makeUnlockings(world: World, admin: Story): Promise<void> {
  const directory = await world.directory()
  const realm = await directory.get<object>('')
  await directory.put('', { ...realm, failureFactor: 1 })
  for (let left = 3; left > 0; left -= 1) {
    const { username } = await world.personWith({})
    await signInAsPerson(world, { username, password: 'wrong' }).catch(() => undefined)
    const [user] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${username}`)
    await admin.good(`/iam/v3/users/${user?.id}/lockout`, { method: 'DELETE' })
  }
  await directory.put('', realm)
}

/** People in one group and with one role, and roles of the realm. */
async function makeUsers(world: World): Promise<string> {
  const directory = await world.directory()
  await directory.post('/groups', { name: 'Listed' })
  const [group] = await directory.get<{ id: string }[]>('/groups?search=Listed')
  for (const [name, description] of [
    ['listed', 'of a_b'],
    ['listed-a', 'of axb'],
    ['listed-b', 'half 50% off'],
  ])
    await directory.post('/roles', { name, description })
  const role = await directory.get<{ id: string; name: string }>('/roles/listed')
  await directory.post('/roles/listed-b/composites', [{ id: role.id, name: role.name }])
  const people = [
    ['listed-a_b', 'Cleo', 'Moss', true],
    ['listed-axb', 'adam', 'Moss', true],
    ['listed-c', 'Bert', 'Reed', false],
    ['listed-d', 'dora', 'Reed', true],
  ] as const
  for (const [username, firstName, lastName, enabled] of people) {
    const email = `${firstName.toLowerCase()}@listed.example`
    await directory.post('/users', { username, firstName, lastName, email, enabled, emailVerified: true })
    const [user] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${username}`)
    await directory.put(`/users/${user?.id}/groups/${group?.id}`)
    await directory.post(`/users/${user?.id}/role-mappings/realm`, [{ id: role.id, name: role.name }])
  }
  return group?.id ?? ''
}

/** Applications and a script, one of them disabled; people who are signed in to the first, and hold its role. */
async function makeApplications(
  world: World,
  admin: Story,
): Promise<Pick<Listed, 'clientId' | 'clientRoleId' | 'signedInId'>> {
  const directory = await world.directory()
  const redirectUri = 'https://listed.example.org/'
  for (const [at, name] of oddNames.slice(0, 4).entries())
    await directory.post('/clients', {
      ...{ clientId: `listed-${at}`, name, enabled: at !== 3, publicClient: true },
      redirectUris: [redirectUri],
    })
  await admin.good('/iam/v2/clients', { body: { clientId: 'listed-script', realmRoles: ['quayside-viewer'] } })
  const [client] = await directory.get<{ id: string }[]>('/clients?clientId=listed-0')
  await directory.post('/clients', { clientId: 'short-lived' })
  const [gone] = await directory.get<{ id: string }[]>('/clients?clientId=short-lived')
  await directory.remove(`/clients/${gone?.id}`)
  let username = ''
  for (let left = 3; left > 0; left -= 1) {
    const person = await world.personWith({})
    username = person.username
    await signInAsPerson(world, person, { clientId: 'listed-0', redirectUri })
  }
  const [signedIn] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${username}`)
  const clientId = client?.id ?? ''
  await directory.post(`/clients/${clientId}/roles`, { name: 'listed' })
  const role = await directory.get<{ id: string; name: string }>(`/clients/${clientId}/roles/listed`)
  for (const username of ['listed-a_b', 'listed-axb', 'listed-c', 'listed-d']) {
    const [user] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${username}`)
    await directory.post(`/users/${user?.id}/role-mappings/clients/${clientId}`, [{ id: role.id, name: role.name }])
  }
  // Services sign in as themselves from time to time, which would come between two pages.
  await directory.put('', { ...(await directory.get<object>('')), enabledEventTypes: ['LOGIN', 'LOGIN_ERROR'] })
  return { clientId, clientRoleId: role.id, signedInId: signedIn?.id ?? '' }
}

/** Mails that are kept, and one that was given up because its mail server is gone. */
async function makeMails(admin: Story): Promise<void> {
  const settings = '/iam/v3/mail/settings'
  const none = { host: '', port: null, from: '', fromDisplayName: '', replyTo: '', encryption: 'offered', user: '' }
  const mailTo = async (name: string) => {
    const body = { username: `mailed-${name}`, email: `${name}@mailed.example` }
    const { id } = await admin.good<{ id: string }>('/iam/v3/users', { body })
    await admin.good(`/iam/v2/users/${id}/execute-actions-email`, { method: 'PUT', body: ['UPDATE_PASSWORD'] })
  }
  for (const name of ['a_b', 'axb', 'alpha']) await mailTo(name)
  await admin.good(settings, { method: 'PUT', body: { ...none, host: 'mail.invalid', from: 'a@mailed.example' } })
  await mailTo('failed')
  await admin.good(settings, { method: 'PUT', body: none })
  await vi.waitFor(
    async () => {
      const { data } = await admin.good<{ data: { status: string }[] }>('/iam/v3/outbox')
      expect(data.map(({ status }) => status)).toContain('failed')
    },
    { timeout: 60_000, interval: 500 },
  )
}

async function makeAppLinks(admin: Story): Promise<void> {
  for (const [at, name] of oddNames.entries()) {
    const [url, tags] = [`https://link-${at}.example.org`, [at % 2 === 0 ? 'even' : 'odd']]
    await admin.good('/portal-api/v2/applinks', { body: { name, url, description: `Number ${at}`, tags } })
  }
}

/** Changes by somebody of their own: refused ones that have names, and one that is not refused. Returns who that is. */
async function makeAuditEntries(world: World): Promise<string> {
  const changer = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  for (const name of oddNames)
    await changer.call('/portal-api/v2/applinks/nothing', { method: 'PUT', body: { name, url: 'https://example.org' } })
  await changer.good('/portal-api/v0/menu/groups', { body: { title: 'Listed' } })
  return changer.userId
}

/** Events in two namespaces, some of the same moment. */
async function makeEvents({ clients }: Teams): Promise<void> {
  const { core } = clients
  await core.createNamespace({ body: { metadata: { name: 'listed' } } })
  for (const [at, message] of oddNames.entries()) {
    const when = new Date(Date.UTC(2030, 0, 1, 0, at % 4))
    const namespace = at < 3 ? 'listed' : 'default'
    await core.createNamespacedEvent({
      namespace,
      body: {
        metadata: { name: `listed-${at}`, namespace },
        involvedObject: { kind: at % 2 === 0 ? 'Pod' : 'Job', name: `thing-${at % 3}`, namespace },
        type: at < 2 ? 'Warning' : 'Normal',
        reason: 'Listed',
        message,
        firstTimestamp: when,
        lastTimestamp: when,
      },
    })
  }
}
