import { readFileSync } from 'node:fs'
import { ApiException, CoreV1Api, KubeConfig, NetworkingV1Api } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import { noReach } from '@quayside/contract/clusters/network-reach'
import type { SpaceOnCluster } from '@quayside/contract/clusters/rules'
import type { ValidationResult } from '@quayside/contract/deployments/endpoints'
import { packFiles } from '@quayside/embedded/seed/chart-package'
import { metadataOf } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attackedCluster, realCluster } from '../attacked-cluster.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

let world: World
let teams: Teams
let mine: Team

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  mine = await teams.team()
  const made = await teams.deploy(mine, mine.story, await teams.assign(mine), configMap)
  expect(made).toMatchObject({ action: { state: 'Success' } })
})
afterAll(() => world?.close())

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: plain }\n'
const operator = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: watcher}
rules: [{apiGroups: [""], resources: [pods], verbs: [get, list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: watcher}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: watcher}
subjects: [{kind: ServiceAccount, name: default, namespace: "{{ .Release.Namespace }}"}]
`
const called = (...values: string[]) => ({
  namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values }] },
})
const own = [{ podSelector: {} }]
/** Rules for what pods reach that open more than pods of the space and DNS. */
const wider: object[][] = [
  [{}],
  [{ ports: [{ port: 443 }] }],
  [{ ports: [{ port: 53, endPort: 443 }] }],
  [{ to: [{ ipBlock: { cidr: '169.254.169.254/32' } }] }],
  [{ to: [{ podSelector: {}, namespaceSelector: {} }] }],
  [{ to: own }, { to: [...own, { ipBlock: { cidr: '10.0.0.0/8' } }] }],
]
const dns = {
  to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } }],
  ports: [
    { protocol: 'UDP', port: 53 },
    { protocol: 'TCP', port: 53 },
  ],
}

/** The specs of the policies that the portal gives a space; the client calls `from` `_from`. */
async function policy({ namespace } = mine.space) {
  const { items } = await teams.clients.net.listNamespacedNetworkPolicy({ namespace })
  return items
    .filter(({ metadata }) => metadata?.labels?.['app.kubernetes.io/managed-by'] === 'quayside')
    .map(({ spec }) => JSON.parse(JSON.stringify(spec)))
}
const path = () => `/cluster/v1/clusters/${teams.cluster.id}/spaces/${mine.space.id}`
const open = (body: object) => teams.admin.good<SpaceOnCluster>(path(), { method: 'PUT', body })

/** Network policies as a pod of the space, whose account has every right on them. */
async function asPod() {
  const { namespace } = mine.space
  const { status } = await teams.kubeconfig
    .makeApiClient(CoreV1Api)
    .createNamespacedServiceAccountToken({ namespace, name: 'default', body: { spec: { audiences: [] } } })
  const server = teams.kubeconfig.getCurrentCluster()
  if (!server || !status) throw new Error('the cluster gave no token')
  const pod = new KubeConfig()
  pod.loadFromClusterAndUser(server, { name: 'pod', token: status.token })
  return pod.makeApiClient(NetworkingV1Api)
}
const answerOf = (call: Promise<unknown>) =>
  call.then(
    () => 'let in',
    (error: unknown) => (error instanceof ApiException ? error.code : error),
  )

it('pods of a new space reach each other and DNS, and are reached through the ingress', async () => {
  expect(await policy()).toEqual([
    {
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ _from: own }, { _from: [called('ingress-nginx')] }],
      egress: [{ to: own }, dns],
    },
  ])
})

it('pods that somebody starts by kubectl in a space without apps are held to its network and its level', async () => {
  const { space, story } = await teams.team()
  await teams.admin.good(`/cluster/v1/clusters/${teams.cluster.id}/spaces/${space.id}`, {
    method: 'PUT',
    body: { podSecurity: 'restricted', network: 'own' },
  })
  const places = [{ spaceId: space.id, clusterId: teams.cluster.id }]
  await story.good('/cluster/v1/kubeconfigs', { body: { places } })
  expect(await policy(space)).toMatchObject([{ ingress: [{ _from: own }], egress: [{ to: own }, dns] }])
  const { metadata } = await teams.clients.core.readNamespace({ name: space.namespace })
  expect(metadata?.labels).toMatchObject({
    'pod-security.kubernetes.io/enforce': 'restricted',
    'quayside.io/network-policies': 'own-pods',
  })
})

it('pods with every right on network policies change their own alone', async () => {
  const keeper = operator.replace(
    'apiGroups: [""], resources: [pods], verbs: [get, list]',
    "apiGroups: [networking.k8s.io], resources: [networkpolicies], verbs: ['*']",
  )
  expect(await teams.deploy(mine, mine.story, await teams.assign(mine), keeper)).toMatchObject({
    action: { state: 'Success' },
  })
  const { namespace } = mine.space
  const net = await asPod()
  const before = await policy()
  const wide = { podSelector: {}, policyTypes: ['Egress'], egress: [{}] }
  const name = 'quayside-space'
  const found = await net.readNamespacedNetworkPolicy({ namespace, name })
  expect(await answerOf(net.replaceNamespacedNetworkPolicy({ namespace, name, body: { ...found, spec: wide } }))).toBe(
    403,
  )
  expect(await answerOf(net.deleteNamespacedNetworkPolicy({ namespace, name }))).toBe(403)
  await answerOf(net.deleteCollectionNamespacedNetworkPolicy({ namespace }))
  expect(await policy()).toEqual(before)
  const own = { metadata: { name: 'own' }, spec: { podSelector: { matchLabels: { app: 'own' } } } }
  expect(await answerOf(net.createNamespacedNetworkPolicy({ namespace, body: own }))).toBe('let in')
  expect(await answerOf(net.deleteNamespacedNetworkPolicy({ namespace, name: 'own' }))).toBe('let in')
  const opened = (egress: object[]) =>
    answerOf(net.createNamespacedNetworkPolicy({ namespace, body: { ...own, spec: { podSelector: {}, egress } } }))
  expect(await Promise.all(wider.map(opened))).toEqual(wider.map(() => 403))
  expect(
    await opened([{ to: [{ podSelector: {} }], ports: [{ port: 5432 }] }, { ports: [{ port: 53, protocol: 'UDP' }] }]),
  ).toBe('let in')
  const read = await net.readNamespacedNetworkPolicy({ namespace, name: 'own' })
  const body = { ...read, spec: { podSelector: {}, egress: [{}] } }
  expect(await answerOf(net.replaceNamespacedNetworkPolicy({ namespace, name: 'own', body }))).toBe(403)
  await net.deleteNamespacedNetworkPolicy({ namespace, name: 'own' })
})

it('a chart whose network policy opens more than its space reaches is refused until the space may', async () => {
  const chart = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: wide}
spec: {podSelector: {}, policyTypes: [Egress], egress: [{}]}
`
  const app = await teams.assign(mine)
  await open({ network: 'standard', reaches: noReach })
  const refused = await teams.validate(mine, app, chart)
  expect(refused).toMatchObject({ success: false })
  expect(refused.lines).toContainEqual(
    expect.objectContaining({
      message: expect.stringMatching(/^NetworkPolicy wide lets its pods reach more than pods of the space and DNS/),
      provider: 'Policy',
      object: expect.objectContaining({ name: 'wide', path: 'spec.egress[0]' }),
    }),
  )
  const tried = await teams.deploy(mine, mine.story, app, chart)
  expect(tried).toMatchObject({ action: { state: 'Failed' } })
  await open({ reaches: { ...noReach, chartPolicies: true } })
  expect(await teams.validate(mine, app, chart)).toMatchObject({ success: true })
  expect(await teams.deploy(mine, mine.story, app, chart)).toMatchObject({ action: { state: 'Success' } })
  const deployed = await mine.story.good<App>(`/portal-api/v2/apps/${app.id}`)
  await open({ reaches: noReach })
  // The policy stays as it is, and opens nothing to other pods.
  const upgraded = await teams.deploy(mine, mine.story, deployed, chart)
  expect(upgraded.action?.state).toBe('Failed')
  expect(JSON.stringify(upgraded.action)).toContain('NetworkPolicy wide lets its pods reach more')
  const place = { namespace: mine.space.namespace, name: 'wide' }
  const net = await asPod()
  const found = await net.readNamespacedNetworkPolicy(place)
  const labelled = { ...found, metadata: { ...found.metadata, labels: { ...found.metadata?.labels, seen: 'yes' } } }
  expect(await answerOf(net.replaceNamespacedNetworkPolicy({ ...place, body: labelled }))).toBe('let in')
  const again = await net.readNamespacedNetworkPolicy(place)
  const other = { ...again, spec: { ...again.spec, podSelector: { matchLabels: { app: 'other' } } } }
  expect(await answerOf(net.replaceNamespacedNetworkPolicy({ ...place, body: other }))).toBe(403)
})

it('more is opened one by one, by who edits the cluster alone', async () => {
  const internet = { ...noReach, internet: true }
  expect((await mine.story.call(path(), { method: 'PUT', body: { reaches: internet } })).status).toBe(403)
  expect(await open({ reaches: internet })).toMatchObject({ network: 'standard', reaches: internet, applied: true })
  const [withInternet] = await policy()
  expect(withInternet.egress.slice(0, 2)).toEqual([{ to: own }, dns])
  expect(withInternet.egress.slice(2)).toMatchObject([
    {
      to: [
        { ipBlock: { cidr: '0.0.0.0/0', except: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']) } },
        { ipBlock: { cidr: '::/0' } },
      ],
    },
  ])
  await open({ reaches: { ...noReach, apiServer: true } })
  const [withServer] = await policy()
  // The real one is behind the address of its service, as on most clusters; the Sandbox is reached at its own.
  const server = new URL(realCluster ? 'https://10.96.0.1:443' : (teams.kubeconfig.getCurrentCluster()?.server ?? ''))
  expect(withServer.egress.slice(2)).toContainEqual({
    to: [{ ipBlock: { cidr: `${server.hostname}/32` } }],
    ports: [{ protocol: 'TCP', port: Number(server.port || 443) }],
  })
  await open({ network: 'own', reaches: { ...noReach, namespaces: ['monitoring'], addresses: ['10.20.0.0/16'] } })
  expect(await policy()).toMatchObject([
    {
      ingress: [{ _from: own }, { _from: [called('monitoring')] }],
      egress: [{ to: own }, dns, { to: [called('monitoring')] }, { to: [{ ipBlock: { cidr: '10.20.0.0/16' } }] }],
    },
  ])
})

it.each([[{ addresses: ['10.20.0.0'] }], [{ namespaces: ['Not a name'] }], [{ addresses: ['0.0.0.0/0 '] }]])(
  '%j cannot be opened',
  async (reaches) => {
    const { status } = await teams.admin.call(path(), { method: 'PUT', body: { reaches: { ...noReach, ...reaches } } })
    expect(status).toBe(400)
  },
)

it('a chart whose pods have rights that they cannot use is told so before it is deployed, and not held up', async () => {
  const app = await teams.assign(mine)
  // A release of the tests above has the other names.
  const listener = operator.replaceAll('watcher', 'listener')
  const said = async () => (await teams.validate(mine, app, listener)).lines.map(({ message }) => message)
  await open({ network: 'standard', reaches: noReach })
  const cannot = expect.stringMatching(
    /^RoleBinding listener gives pods of this release rights at the API server, which/,
  )
  expect(await teams.validate(mine, app, listener)).toMatchObject({ success: true })
  expect(await said()).toContainEqual(cannot)
  await open({ reaches: { ...noReach, apiServer: true } })
  const other = `${listener}---\n${configMap.replace('plain', 'other')}`
  const later = await teams.validate(mine, app, other)
  expect(later.lines.map(({ message }) => message)).not.toContainEqual(cannot)
})

it('a second registration of the cluster loosens nothing: the stricter settings of both count, and the page says so', async () => {
  const { space, story } = await teams.team()
  const of = (clusterId: string) => `/cluster/v1/clusters/${clusterId}/spaces`
  await teams.admin.good(`${of(teams.cluster.id)}/${space.id}`, {
    method: 'PUT',
    body: { podSecurity: 'restricted', network: 'own' },
  })
  const again = { displayName: 'Twin', iaas: { type: 'Sandbox' }, kubeconfig: readFileSync(world.kubeconfig, 'utf8') }
  const twin = await teams.admin.good<Cluster>('/cluster/v1/clusters', { body: again })
  const usedBy = (clusterIds: string[]) =>
    teams.admin.good(`/portal-api/v3/spaces/${space.id}`, {
      method: 'PUT',
      body: { displayName: space.displayName, clusterIds },
    })
  await usedBy([teams.cluster.id, twin.id])
  const places = [{ spaceId: space.id, clusterId: twin.id }]
  await story.good('/cluster/v1/kubeconfigs', { body: { places } })
  const isStrict = async () => {
    expect(await policy(space)).toMatchObject([{ ingress: [{ _from: own }], egress: [{ to: own }, dns] }])
    const { metadata } = await teams.clients.core.readNamespace({ name: space.namespace })
    expect(metadata?.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' })
  }
  await isStrict()
  await teams.admin.good(`${of(twin.id)}/${space.id}`, {
    method: 'PUT',
    body: { podSecurity: 'privileged', network: 'open', reaches: { ...noReach, chartPolicies: true } },
  })
  await isStrict()
  const shown = async (clusterId: string) => {
    const { data } = await teams.admin.good<{ data: SpaceOnCluster[] }>(of(clusterId))
    return data.find((one) => one.space.id === space.id)?.stricter
  }
  expect(await shown(twin.id)).toEqual([{ id: teams.cluster.id, displayName: 'Here' }])
  expect(await shown(teams.cluster.id)).toEqual([])
  // Settings that both of them open are open.
  await teams.admin.good(`${of(teams.cluster.id)}/${space.id}`, {
    method: 'PUT',
    body: { podSecurity: 'privileged', network: 'open' },
  })
  expect(await policy(space)).toEqual([])
})

it('a chart that can do without such a policy is offered the values that leave it out, its own and those of its parts', async () => {
  await open({ network: 'standard', reaches: noReach })
  const template = (name: string, when: string) => `{{- if ${when} }}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: ${name}}
spec: {podSelector: {}, policyTypes: [Egress], egress: [{}]}
{{- end }}
`
  const child = await teams.admin.upload(
    await packFiles('shop', {
      'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies: [{name: db, version: 1.0.0}]\n',
      'values.yaml': '# Policies of the shop\nnetworkPolicy:\n  enabled: true\nfixed: false\n',
      'templates/networkpolicy.yaml': template('shop', '.Values.networkPolicy.enabled'),
      'templates/fixed.yaml': template('fixed', '.Values.fixed'),
      'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'charts/db/values.yaml': 'primary: {networkPolicy: {enabled: true}}\n',
      'charts/db/templates/primary/networkpolicy.yaml': template('db', '.Values.primary.networkPolicy.enabled'),
    }),
  )
  const app = await mine.story.assign(mine.space, child)
  const validate = (yaml: string) =>
    mine.story.good<ValidationResult>(`/deployment/v1/helm/deployment/validate/${child.version.id}`, {
      method: 'PUT',
      body: { appMetadata: metadataOf(app, mine.space), yaml },
    })
  const refused = await validate('networkPolicy:\n  enabled: true\n')
  expect(refused).toMatchObject({ success: false, provider: 'Policy' })
  expect(refused.remedy).toEqual([
    { path: ['networkPolicy', 'enabled'], value: false },
    { path: ['db', 'primary', 'networkPolicy', 'enabled'], value: false },
  ])
  const yaml = 'networkPolicy: {enabled: false}\ndb: {primary: {networkPolicy: {enabled: false}}}\n'
  expect(await validate(yaml)).toMatchObject({ success: true, remedy: [] })
  // A policy that no value leaves out: there is nothing to offer.
  expect(await validate('networkPolicy: {enabled: true}\nfixed: true\n')).toMatchObject({ success: false, remedy: [] })
})
