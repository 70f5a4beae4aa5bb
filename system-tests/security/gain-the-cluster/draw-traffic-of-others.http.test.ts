import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

let world: World
let teams: Teams
let core: CoreV1Api
let team: Team
let other: Team

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  core = teams.kubeconfig.makeApiClient(CoreV1Api)
  team = await teams.team()
  other = await teams.team()
  for (const by of [team, other]) {
    const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: first}\n'
    const { action } = await teams.deploy(by, by.story, await teams.assign(by), map)
    expect(action).toMatchObject({ state: 'Success' })
  }
})
afterAll(() => world?.close())

const service = (name: string, spec: string) =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec: ${spec}\n`
const drawing = '{ports: [{port: 443}], selector: {a: b}, externalIPs: [203.0.113.7]}'
/** Names that lead, for programs that look for them as pods do, to something within the cluster. */
const within = () => [
  `web.${other.space.namespace}.svc.cluster.local`,
  `web.${other.space.namespace}.svc.cluster.local.`,
  `web.${other.space.namespace}.svc`,
  `web.${other.space.namespace}`,
  `10-1-2-3.${other.space.namespace}.pod.cluster.local`,
  'kubernetes.default.svc.corp.example',
  '10.1.2.3',
  'web',
  // Without a dot behind them, these are looked for within the cluster first.
  'kubernetes.default',
  'prometheus-0.prometheus.monitoring',
]
const named = (name: string) => `{type: ExternalName, externalName: "${name}"}`

async function attempt(objects: string) {
  const { action } = await teams.deploy(team, team.story, await teams.assign(team), objects)
  return [action?.state, JSON.stringify(action)]
}

/** A client that acts as an account of the space, as its pods do, or as one that the portal has made for somebody. */
function acting(account: string) {
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(teams.kubeconfig.exportConfig())
  const [user] = kubeconfig.users
  kubeconfig.users = [{ ...user, name: user?.name ?? '', impersonateUser: account }]
  return kubeconfig.makeApiClient(CoreV1Api)
}

describe('a service that draws traffic of the whole cluster to itself by an external address', () => {
  const refusal = 'takes no external addresses'

  test('is made by no chart', async () => {
    expect(await attempt(service('drawing', drawing))).toEqual(['Failed', expect.stringContaining(refusal)])
    const { items } = await core.listNamespacedService({ namespace: team.space.namespace })
    expect(items.map(({ metadata }) => metadata?.name)).not.toContain('drawing')
  })

  test('is made by no operator either, for which an object of the space says how its service is to be', async () => {
    const { namespace } = team.space
    const operator = 'system:serviceaccount:operators:search'
    const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: operator }]
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' }
    await teams.clients.rbac.createClusterRoleBinding({ body: { metadata: { name: 'search' }, roleRef, subjects } })
    const asOperator = acting(operator)
    const spec = { ports: [{ port: 443 }], selector: { a: 'b' } }
    const create = (more: object) =>
      asOperator.createNamespacedService({
        namespace,
        body: { metadata: { name: 'search' }, spec: { ...spec, ...more } },
      })
    await expect(create({ externalIPs: ['203.0.113.7'] })).rejects.toThrow(refusal)
    await expect(create({ type: 'ExternalName', externalName: within()[0] })).rejects.toThrow('public one')
    await create({})
  })

  test('is not what a service becomes later, and one that an operator has made so stays so', async () => {
    const { namespace } = team.space
    const metadata = { name: 'plain' }
    const spec = { ports: [{ port: 443 }], selector: { a: 'b' } }
    await core.createNamespacedService({ namespace, body: { metadata, spec } })
    const rule = { apiGroups: [''], resources: ['services'], verbs: ['*'] }
    await giveAll(namespace, rule)
    const asPod = acting(`system:serviceaccount:${namespace}:default`)
    const found = await asPod.readNamespacedService({ namespace, name: 'plain' })
    const drawn = { ...found, spec: { ...found.spec, externalIPs: ['203.0.113.7'] } }
    await expect(asPod.replaceNamespacedService({ namespace, name: 'plain', body: drawn })).rejects.toThrow(refusal)
    await core.replaceNamespacedService({ namespace, name: 'plain', body: drawn })
    const kept = await asPod.readNamespacedService({ namespace, name: 'plain' })
    const labelled = { ...kept, metadata: { ...kept.metadata, labels: { a: 'b' } } }
    await asPod.replaceNamespacedService({ namespace, name: 'plain', body: labelled })
    const more = await asPod.readNamespacedService({ namespace, name: 'plain' })
    more.spec = { ...more.spec, externalIPs: ['203.0.113.7', '203.0.113.8'] }
    await expect(asPod.replaceNamespacedService({ namespace, name: 'plain', body: more })).rejects.toThrow(refusal)
  })
})

describe('a service by which an ingress controller would reach the pods of others', () => {
  test('is made under no name within the cluster', async () => {
    const { namespace } = team.space
    const rule = { apiGroups: [''], resources: ['services'], verbs: ['*'] }
    await giveAll(namespace, rule)
    const asPod = acting(`system:serviceaccount:${namespace}:default`)
    for (const [at, externalName] of within().entries()) {
      const body = { metadata: { name: `leads-${at}` }, spec: { type: 'ExternalName', externalName } }
      await expect(asPod.createNamespacedService({ namespace, body }), externalName).rejects.toThrow(
        /is a public one outside of the cluster|Invalid/,
      )
    }
    const [first = ''] = within()
    expect(await attempt(service('leading', named(first)))).toEqual(['Failed', expect.stringContaining('public one')])
  })

  test.each(['db.example.com', 'example.com', 'a-b.c_d.example.xn--p1ai.', 'db.example.dev.', 'a.b.c.d.example.dev'])(
    'leads out of the cluster, to %s',
    async (name) => {
      const objects = service(`out-${name.replaceAll(/[._]+/g, '-')}0`, named(name.replace('_', '-')))
      expect((await attempt(objects))[0]).toBe('Success')
    },
  )
})

let given = 0
/** Lets the account of the pods of a namespace do something there, as a chart could. */
async function giveAll(namespace: string, rule: { apiGroups: string[]; resources: string[]; verbs: string[] }) {
  given += 1
  const name = `given-${given}`
  const objects = `---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: ${name}}
rules: [${JSON.stringify(rule)}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: ${name}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${name}}
subjects: [{kind: ServiceAccount, name: default, namespace: ${namespace}}]
`
  expect((await attempt(objects))[0]).toBe('Success')
}
