import {
  AuthenticationV1Api,
  AuthorizationV1Api,
  type CoreV1Api,
  KubeConfig,
  CoreV1Api as OfCore,
  type RbacAuthorizationV1Api,
} from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { DeletionAccepted } from '@quayside/contract/deployments/deletion'
import type { Action } from '@quayside/contract/deployments/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bound, readsNodes, role } from '../gain-the-cluster/charts-that-reach-out.ts'
import { type Teams, teamsOn } from '../team-with-charts.ts'

const rounds = process.env.SPACES === 'all' ? 20 : 6
const callers = 4
const displayName = 'Phoenix'

let world: World
let teams: Teams
let core: CoreV1Api
let rbac: RbacAuthorizationV1Api

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 }, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  ;({ core, rbac } = teams.clients)
  // Its releases have rights on the cluster: those have to go as well.
  for (const kind of ['ClusterRole', 'ClusterRoleBinding'])
    await teams.admin.good(`/cluster/v1/clusters/${teams.cluster.id}/rules`, {
      body: { group: 'rbac.authorization.k8s.io', kind },
    })
})
afterAll(() => world?.close())

/** A space that is gone, and the credentials that people had for it. */
interface Former {
  space: Space
  kubeconfig: string
  account: string
}
const former: Former[] = []
const made: Space[] = []

/** Waits until the name is free, which others want as well. */
async function create(): Promise<Space> {
  let space: Space | undefined
  const attempt = async () => {
    const body = { displayName, clusterIds: [teams.cluster.id] }
    const answer = await teams.admin.call<Space>('/portal-api/v3/spaces', { body })
    if (answer.status === 201) space = answer.body
    else expect([answer.status, answer.body]).toEqual([409, expect.objectContaining({ code: 'space.name-taken' })])
    return answer.status
  }
  await expect.poll(attempt, { timeout: 240_000, interval: 100 }).toBe(201)
  if (!space) throw new Error('there is no space')
  made.push(space)
  return space
}

async function deployed(space: Space, objects: string): Promise<App> {
  const by = { space, story: teams.admin }
  const app = await teams.assign(by)
  const { action } = await teams.deploy(by, teams.admin, app, objects)
  expect(JSON.stringify(action)).toContain('"state":"Success"')
  return app
}

async function kubeconfigOf({ id }: Space): Promise<string> {
  const body = { places: [{ spaceId: id, clusterId: teams.cluster.id }] }
  return (await teams.admin.good<{ kubeconfig: string }>('/cluster/v1/kubeconfigs', { body })).kubeconfig
}

/** Says what somebody who had a former space can still read in a namespace: nothing, when it holds. */
async function stillReads({ kubeconfig, account, space }: Former, namespace: string): Promise<string[]> {
  const config = new KubeConfig()
  config.loadFromString(kubeconfig)
  const reads = await config
    .makeApiClient(OfCore)
    .listNamespacedConfigMap({ namespace })
    .then(
      () => ['by the kubeconfig'],
      () => [],
    )
  const reviews = teams.kubeconfig.makeApiClient(AuthorizationV1Api)
  const resourceAttributes = { namespace, verb: 'get', resource: 'secrets' }
  const { status } = await reviews.createSubjectAccessReview({ body: { spec: { user: account, resourceAttributes } } })
  const tokens = teams.kubeconfig.makeApiClient(AuthenticationV1Api)
  const token = config.getCurrentUser()?.token ?? ''
  const known = await tokens.createTokenReview({ body: { spec: { token } } })
  return [
    ...reads,
    ...(status?.allowed ? ['by the account that deploys'] : []),
    ...(known.status?.authenticated ? ['its token is known'] : []),
  ].map((what) => `${space.id}: ${what}`)
}

async function round(): Promise<void> {
  const space = await create()
  const name = `phoenix-${space.id}`
  const app = await deployed(space, role(name, readsNodes) + bound(name))
  const kubeconfig = await kubeconfigOf(space)
  const found = await Promise.all(former.map((one) => stillReads(one, space.namespace)))
  expect(found.flat()).toEqual([])
  expect(await teams.act('Delete', { app: { id: app.id } })).toMatchObject({ state: 'Success' })
  // Several delete it at once: one of them does.
  const path = `/portal-api/v3/spaces/${space.id}`
  const answers = await Promise.all([1, 2, 3].map(() => teams.admin.call<DeletionAccepted>(path, { method: 'DELETE' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 404, 404])
  const accepted = answers.find(({ status }) => status === 202)
  expect(await teams.admin.ended(accepted?.body.actionId ?? '')).toMatchObject({ state: 'Success' })
  const account = `system:serviceaccount:quayside-system:space-${space.id}`
  former.push({ space, kubeconfig, account })
}

/** Names of everything on the cluster that was made for one of the spaces. */
async function left(): Promise<string[]> {
  const ids = made.map(({ id }) => id)
  const isOurs = (text: string) => ids.some((id) => text.includes(id))
  const lists = await Promise.all([
    core.listNamespace(),
    core.listServiceAccountForAllNamespaces(),
    core.listSecretForAllNamespaces(),
    rbac.listClusterRole(),
    rbac.listClusterRoleBinding(),
    rbac.listRoleForAllNamespaces(),
    rbac.listRoleBindingForAllNamespaces(),
    teams.clients.net.listNetworkPolicyForAllNamespaces(),
  ])
  return lists.flatMap(({ items }) =>
    items.flatMap(({ metadata }) => {
      const all = [metadata?.name, metadata?.namespace, metadata?.labels?.['quayside.io/space']].join(' ')
      return isOurs(all) || metadata?.labels?.['quayside.io/action'] || metadata?.labels?.['quayside.io/kubeconfig']
        ? [all]
        : []
    }),
  )
}

test('a space that is deleted and made again under its name leaves nothing, and gives nobody of before anything', async () => {
  let begun = 0
  const caller = async () => {
    while (begun < rounds) {
      begun += 1
      await round()
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  expect(former).toHaveLength(rounds)
  expect(new Set(made.map(({ namespace }) => namespace)).size).toBe(rounds)

  const atWork = async () =>
    (await teams.admin.good<{ data: Action[] }>('/deployment/v1/actions')).data.filter(({ running }) => running).length
  await expect.poll(atWork, { timeout: 60_000 }).toBe(0)
  expect(await left()).toEqual([])
  const policies = (await teams.clients.admission.listValidatingAdmissionPolicy()).items
  expect(policies.map(({ metadata }) => metadata?.name).sort()).toEqual([
    'quayside-judged-revisions',
    'quayside-lasting-tokens',
    'quayside-own-bindings',
    'quayside-own-namespace',
    'quayside-own-networks',
    'quayside-own-priorities',
    'quayside-own-services',
  ])
}, 600_000)
