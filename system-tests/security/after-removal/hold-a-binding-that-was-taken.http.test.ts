import { CoreV1Api, KubeConfig, RbacAuthorizationV1Api } from '@kubernetes/client-node'
import type { Kubeconfig } from '@quayside/contract/clusters/kubeconfigs'
import type { Permission } from '@quayside/contract/permissions/permission-entry'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { bound, rbacVersion, readsNodes, role } from '../gain-the-cluster/charts-that-reach-out.ts'
import { askCluster, kubeconfigsPath, statusOf } from '../kubectl-user.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

const promised = { timeout: 5000, interval: 50 }
const version = 'rbac.authorization.k8s.io'
const refusal = 'The roles and bindings that the portal keeps in a space are its own.'
let world: World
let teams: Teams

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
}, 60_000)
afterAll(() => world?.close())

/** A chart that lets the pods of its space work on roles and bindings, as those of operators do. */
const tidying = `---
${rbacVersion}
kind: Role
metadata: {name: tidy}
rules:
- {apiGroups: [${version}], resources: [roles, rolebindings], verbs: [get, list, create, update, patch, delete, deletecollection]}
- {apiGroups: [""], resources: [configmaps], verbs: [get, create, update, delete]}
---
${rbacVersion}
kind: RoleBinding
metadata: {name: tidy}
roleRef: {apiGroup: ${version}, kind: Role, name: tidy}
subjects: [{kind: ServiceAccount, name: default}]
`

function acting(account: string) {
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(teams.kubeconfig.exportConfig())
  const [user] = kubeconfig.users
  kubeconfig.users = [{ ...user, name: user?.name ?? '', impersonateUser: account }]
  return { core: kubeconfig.makeApiClient(CoreV1Api), rbac: kubeconfig.makeApiClient(RbacAuthorizationV1Api) }
}

/** A team whose deployer holds a kubeconfig, and a pod of its space that may delete bindings. */
async function teamWithPod() {
  const team = await teams.team()
  const { namespace, id: spaceId } = team.space
  const { action } = await teams.deploy(team, team.story, await teams.assign(team), tidying)
  expect(action).toMatchObject({ state: 'Success' })
  const places = [{ spaceId, clusterId: teams.cluster.id }]
  const held = await team.story.good<Kubeconfig>(kubeconfigsPath, { body: { places } })
  const pod = acting(`system:serviceaccount:${namespace}:default`)
  const names = (await teams.clients.rbac.listNamespacedRoleBinding({ namespace })).items.map(
    (one) => one.metadata?.name,
  )
  return { team, namespace, held, pod, own: names.find((name) => name?.startsWith('kubeconfig-')) ?? '' }
}
type TeamWithPod = Awaited<ReturnType<typeof teamWithPod>>

const maps = '/api/v1/namespaces/{namespace}/configmaps'
const writes = async ({ kubeconfig }: Kubeconfig) =>
  (await askCluster(kubeconfig, `${maps}?dryRun=All`, { method: 'POST', body: { metadata: { name: 'own' } } })).status

/** Deletes a binding that somebody holds, as pods could before the policy was there. */
async function holdBinding({ namespace, own: name }: Pick<TeamWithPod, 'namespace' | 'own'>) {
  const { rbac } = teams.clients
  const body = await rbac.readNamespacedRoleBinding({ namespace, name })
  const finalizers = ['example.com/hold']
  const metadata = { ...body.metadata, finalizers }
  await rbac.replaceNamespacedRoleBinding({ namespace, name, body: { ...body, metadata } })
  await rbac.deleteNamespacedRoleBinding({ namespace, name, propagationPolicy: 'Foreground' })
  const kept = await rbac.readNamespacedRoleBinding({ namespace, name })
  expect(kept.metadata?.deletionTimestamp).toBeDefined()
}

async function entryOf({ space, story }: Team): Promise<{ path: string; id: string }> {
  const path = `/portal-api/v3/spaces/${space.id}/permissions`
  const { data } = await teams.admin.good<{ data: Permission[] }>(path)
  return { path, id: data.find(({ principal }) => principal.id === story.userId)?.id ?? '' }
}

describe('a pod of the space that may delete bindings', () => {
  test('deletes and changes none of the portal, and makes none in their place', async () => {
    const { namespace, pod, own } = await teamWithPod()
    const names = [own, 'quayside-deployer']
    for (const name of names) {
      for (const propagationPolicy of ['Foreground', 'Background'])
        await expect(pod.rbac.deleteNamespacedRoleBinding({ namespace, name, propagationPolicy })).rejects.toThrow(
          refusal,
        )
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'anchor', uid: 'a' }
      for (const [field, value] of [
        ['finalizers', ['example.com/hold']],
        ['ownerReferences', [owner]],
      ]) {
        const body = [{ op: 'add', path: `/metadata/${field}`, value }]
        await expect(pod.rbac.patchNamespacedRoleBinding({ namespace, name, body })).rejects.toThrow(refusal)
      }
    }
    await expect(pod.rbac.deleteCollectionNamespacedRoleBinding({ namespace })).rejects.toThrow(refusal)
    const { items } = await teams.clients.rbac.listNamespacedRoleBinding({ namespace })
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(expect.arrayContaining(names))
  })

  test.each([
    ['of another action', { name: 'quayside:action:of-another' }],
    ['of a kubeconfig', { name: `kubeconfig-${'a'.repeat(22)}` }],
    ['by its label', { name: 'plain', labels: { 'quayside.io/kubeconfig': 'a'.repeat(22) } }],
  ])('makes no role and no binding that the portal would take for its own: %s', async (_, metadata) => {
    const { namespace, pod } = await teamWithPod()
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]
    await expect(pod.rbac.createNamespacedRole({ namespace, body: { metadata, rules } })).rejects.toThrow(refusal)
    const roleRef = { apiGroup: version, kind: 'Role', name: 'tidy' }
    const subjects = [{ kind: 'ServiceAccount', name: 'default', namespace }]
    const body = { metadata, roleRef, subjects }
    await expect(pod.rbac.createNamespacedRoleBinding({ namespace, body })).rejects.toThrow(refusal)
  })

  test('makes, changes and deletes bindings of its own, and releases theirs', async () => {
    const { namespace, pod, team } = await teamWithPod()
    const subjects = [{ kind: 'ServiceAccount', name: 'default', namespace }]
    const roleRef = { apiGroup: version, kind: 'Role', name: 'tidy' }
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]
    for (const name of ['one', 'two', 'kubeconfig-reader', 'quayside-web']) {
      const metadata = { name, labels: { app: 'operator' } }
      await pod.rbac.createNamespacedRole({ namespace, body: { metadata, rules } })
      const body = await pod.rbac.createNamespacedRoleBinding({ namespace, body: { metadata, roleRef, subjects } })
      await pod.rbac.replaceNamespacedRoleBinding({ namespace, name, body: { ...body, subjects: [] } })
    }
    await pod.rbac.deleteNamespacedRoleBinding({ namespace, name: 'one', propagationPolicy: 'Foreground' })
    await pod.rbac.deleteCollectionNamespacedRoleBinding({ namespace, labelSelector: 'app=operator' })
    await pod.rbac.deleteCollectionNamespacedRole({ namespace, labelSelector: 'app=operator' })
    const app = await teams.assign(team)
    const more = tidying.replaceAll('tidy', 'more')
    expect((await teams.deploy(team, team.story, app, more)).action).toMatchObject({ state: 'Success' })
    const deleted = await teams.act('Delete', { app: { id: app.id } })
    expect(deleted).toMatchObject({ state: 'Success' })
    const { items } = await teams.clients.rbac.listNamespacedRoleBinding({ namespace })
    const left = items.flatMap(({ metadata }) => metadata?.name ?? [])
    expect(left.filter((name) => ['one', 'two', 'kubeconfig-reader', 'quayside-web', 'more'].includes(name))).toEqual(
      [],
    )
  })
})

describe('a binding that is held although it was deleted', () => {
  test('leaves a deployer who became a viewer none of the rights of before', async () => {
    const held = await teamWithPod()
    await holdBinding(held)
    expect([await statusOf(held.held, 'secrets'), await writes(held.held)]).toEqual([200, 201])
    const { path, id } = await entryOf(held.team)
    await teams.admin.good(path, { method: 'PUT', body: { id, role: 'viewer', owner: false, expiresAt: null } })
    await expect.poll(() => statusOf(held.held, 'secrets'), promised).toBe(403)
    expect([await statusOf(held.held, 'configmaps'), await writes(held.held)]).toEqual([200, 403])
  })

  test('leaves somebody who was removed from the space nothing after five seconds', async () => {
    const held = await teamWithPod()
    await holdBinding(held)
    const { path, id } = await entryOf(held.team)
    await teams.admin.good(`${path}/${id}`, { method: 'DELETE' })
    await expect.poll(() => statusOf(held.held, 'configmaps'), promised).not.toBe(200)
    const { items } = await teams.clients.rbac.listNamespacedRoleBinding({ namespace: held.namespace })
    expect(items.map(({ metadata }) => metadata?.name)).not.toContain(held.own)
  })

  test('holds up no lowering before an approved release has its rights', async () => {
    const held = await teamWithPod()
    await holdBinding(held)
    const app = await teams.assign(held.team)
    const objects = role('held-up', readsNodes) + bound('held-up')
    await teams.approve(held.team, app, objects)
    expect((await teams.deploy(held.team, teams.admin, app, objects)).action).toMatchObject({ state: 'Success' })
    expect([await statusOf(held.held, 'secrets'), await writes(held.held)]).toEqual([403, 403])
  })

  test('of the account that deploys, or another one in its place, stops no deployment', async () => {
    const { team, namespace } = await teamWithPod()
    const { rbac } = teams.clients
    const name = 'quayside-deployer'
    const map = (of: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${of}}\n`
    const deployed = async (of: string) =>
      (await teams.deploy(team, teams.admin, await teams.assign(team), map(of))).action?.state
    await holdBinding({ namespace, own: name })
    expect(await deployed('first')).toBe('Success')
    await rbac.deleteNamespacedRoleBinding({ namespace, name })
    const roleRef = { apiGroup: version, kind: 'Role', name: 'tidy' }
    const metadata = { name, finalizers: ['example.com/hold'] }
    await rbac.createNamespacedRoleBinding({ namespace, body: { metadata, roleRef, subjects: [] } })
    expect(await deployed('second')).toBe('Success')
    const found = await rbac.readNamespacedRoleBinding({ namespace, name })
    expect([found.roleRef.name, found.metadata?.deletionTimestamp]).toEqual(['quayside:deployer-account', undefined])
  })
})

test('a network policy that is held although it was deleted is made anew, and goes when the space is opened', async () => {
  const { space } = (await teamWithPod()).team
  const { net } = teams.clients
  const path = `/cluster/v1/clusters/${teams.cluster.id}/spaces/${space.id}`
  const set = (network: string) => teams.admin.good(path, { method: 'PUT', body: { podSecurity: 'baseline', network } })
  const found = async () => (await net.listNamespacedNetworkPolicy({ namespace: space.namespace })).items
  const hold = async () => {
    const [body = {}] = await found()
    const name = body.metadata?.name ?? ''
    const metadata = { ...body.metadata, finalizers: ['example.com/hold'] }
    await net.replaceNamespacedNetworkPolicy({ namespace: space.namespace, name, body: { ...body, metadata } })
    await net.deleteNamespacedNetworkPolicy({ namespace: space.namespace, name })
  }
  await set('own')
  await hold()
  expect(await set('standard')).toMatchObject({ applied: true })
  expect((await found()).map(({ metadata }) => metadata?.deletionTimestamp)).toEqual([undefined])
  await hold()
  expect(await set('open')).toMatchObject({ applied: true })
  expect(await found()).toEqual([])
})
