import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { HandedOutKubeconfig, Kubeconfig } from '@quayside/contract/clusters/kubeconfigs'
import type { Space } from '@quayside/contract/spaces/endpoints'
import type { Directory } from '@quayside/embedded/directory-client'
import type { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realCluster } from '../attacked-cluster.ts'
import { type KubectlStage, kubectlStage } from '../kubectl-stage.ts'
import {
  askCluster,
  grant,
  kubeconfigOf,
  kubeconfigsPath,
  member,
  newSpace,
  type Person,
  statusOf,
} from '../kubectl-user.ts'

const promised = { timeout: 5000, interval: 50 }
/** A real API server keeps for ten seconds what it knows of a token, whose rights are gone before. */
const forgotten = realCluster === undefined ? promised : { timeout: 15_000, interval: 50 }
let stage: KubectlStage
let world: World
let directory: Directory
let cluster: Cluster
let admin: Person
let space: Space
let other: Space

beforeAll(async () => {
  stage = await kubectlStage(realCluster)
  ;({ world, directory, admin, cluster, space } = stage)
  other = await newSpace(admin)
}, 60_000)
afterAll(() => stage?.close())

const mine = async (who: Person) => (await who.call<{ data: HandedOutKubeconfig[] }>(kubeconfigsPath)).body.data
const inSpace = async () =>
  (await admin.call<{ data: HandedOutKubeconfig[] }>(`/cluster/v1/spaces/${space.id}/kubeconfigs`)).body.data

const kubectl = ({ kubeconfig }: Kubeconfig, args: string) => stage.kubectl(kubeconfig, args)

/** Both matter: what it may do is gone at once, and its token is nobody's. */
async function isOver(kubeconfig: Kubeconfig, what: string, begin: () => Promise<unknown>): Promise<void> {
  expect(await statusOf(kubeconfig, 'configmaps')).toBe(200)
  await begin()
  const begun = performance.now()
  await expect.poll(() => statusOf(kubeconfig, 'configmaps'), promised).not.toBe(200)
  await expect.poll(() => statusOf(kubeconfig, 'configmaps'), forgotten).toBe(401)
  console.info(`${what}: ${Math.round(performance.now() - begun)} ms`)
}

describe('a kubeconfig of a person', () => {
  it('is an account of its own in the namespace of the portal, good for one space and an hour', async () => {
    const own = await kubeconfigOf(admin, space, cluster)
    expect(own.role).toBe('manager')
    const left = Date.parse(own.expiresAt) - Date.now()
    expect(left).toBeGreaterThan(55 * 60_000)
    expect(left).toBeLessThanOrEqual(60 * 60_000)
    expect((await kubectl(own, 'create configmap mine --from-literal=a=1')).out).toBe('configmap/mine created\n')
    expect((await kubectl(own, 'get configmap mine -o jsonpath={.metadata.namespace}')).out).toBe(space.namespace)
    const who = await kubectl(own, 'auth whoami -o jsonpath={.status.userInfo.username}')
    expect(who.out).toMatch(/^system:serviceaccount:quayside-system:kubeconfig-[0-9a-z]{22}$/)
    expect((await kubectl(own, 'get pods -n kube-system')).err).toContain('is forbidden')
    expect((await kubectl(own, 'get secrets -n quayside-system')).err).toContain('is forbidden')
    expect((await kubectl(own, 'get nodes')).err).toContain('is forbidden')
    expect((await kubectl(own, `get namespace ${space.namespace} -o name`)).out).toBe(`namespace/${space.namespace}\n`)
    expect((await kubectl(own, 'get namespaces')).err).toContain('is forbidden')
    const [listed] = await mine(admin)
    expect(listed).toMatchObject({
      state: 'valid',
      role: 'manager',
      space: { id: space.id, name: space.displayName },
      cluster: { id: cluster.id, name: 'Under test' },
      user: { id: admin.id },
    })
  })

  it('of a viewer reads neither Secrets nor pods, of a deployer works on them and reads no roles', async () => {
    const [viewer, deployer] = await Promise.all([member(world), member(world)])
    await grant(admin, space, viewer, 'viewer')
    await grant(admin, space, deployer, 'deployer')
    const [looks, works] = await Promise.all([
      kubeconfigOf(viewer, space, cluster),
      kubeconfigOf(deployer, space, cluster),
    ])
    expect([looks.role, works.role]).toEqual(['viewer', 'deployer'])
    expect((await kubectl(looks, 'get configmaps')).out).toContain('kube-root-ca.crt')
    for (const refused of ['get secrets', 'get pods', 'get deployments', 'create configmap x', 'get roles'])
      expect((await kubectl(looks, refused)).err, refused).toContain('is forbidden')
    expect((await kubectl(works, 'create secret generic own --from-literal=a=b')).out).toBe('secret/own created\n')
    expect((await kubectl(works, 'get pods')).err).toContain('No resources found')
    for (const refused of [
      'get roles',
      'create token default',
      'delete networkpolicy x',
      'create role r --verb=get --resource=pods',
    ])
      expect((await kubectl(works, refused)).err, refused).toContain('orbidden')
  })

  it('is refused for a space that one does not see, and for a cluster that the space does not have', async () => {
    const stranger = await member(world)
    const ask = (who: Person, spaceId: string) =>
      who.call(kubeconfigsPath, { body: { places: [{ spaceId, clusterId: cluster.id }] } })
    expect(await ask(stranger, other.id)).toMatchObject({ status: 404, body: { code: 'space.not-found' } })
    expect((await ask(admin, other.id)).body.code).toBe('cluster.not-in-space')
    expect((await ask(admin, 'nothing')).body.code).toBe('space.not-found')
  })
})

describe('kubeconfigs without a limit', () => {
  it('are 20 for each person and place: the oldest ends, and a list shows those that count before all others', async () => {
    const [who, victim] = [await member(world), await member(world)]
    const crowded = await newSpace(admin, [cluster.id])
    await grant(admin, crowded, who, 'viewer')
    await grant(admin, crowded, victim, 'viewer')
    const first = await kubeconfigOf(victim, crowded, cluster)
    const oldest = await kubeconfigOf(who, crowded, cluster)
    await Promise.all(Array.from({ length: 20 }, () => kubeconfigOf(who, crowded, cluster)))
    await expect.poll(() => statusOf(oldest, 'configmaps'), promised).not.toBe(200)
    await expect.poll(() => statusOf(oldest, 'configmaps'), forgotten).toBe(401)
    expect(await statusOf(first, 'configmaps')).toBe(200)

    type Page = { data: HandedOutKubeconfig[]; page: { total: number }; next: string | null }
    const path = `/cluster/v1/spaces/${crowded.id}/kubeconfigs`
    const { body: all } = await admin.call<Page>(path)
    expect(all.data.map(({ state }) => state === 'valid')).toEqual([...Array.from({ length: 21 }, () => true), false])
    expect(all.data.at(-1)).toMatchObject({ user: { id: who.id }, endedBecause: 'too-many' })
    const { body: page } = await admin.call<Page>(`${path}?page.limit=15`)
    const { body: rest } = await admin.call<Page>(page.next ?? '')
    expect([page.page.total, rest.next]).toEqual([22, null])
    expect([...page.data, ...rest.data].map(({ id }) => id)).toEqual(all.data.map(({ id }) => id))
  }, 60_000)
})

describe('a kubeconfig ends within five seconds', () => {
  it('when its holder is disabled', async () => {
    const who = await member(world)
    await grant(admin, space, who, 'deployer')
    const kubeconfig = await kubeconfigOf(who, space, cluster)
    await isOver(kubeconfig, 'disabled', () => directory.put(`/users/${who.id}`, { enabled: false }))
    expect(await inSpace()).toContainEqual(
      expect.objectContaining({
        state: 'ended',
        endedBecause: 'access-lost',
        user: expect.objectContaining({ id: who.id }),
      }),
    )
  })

  it('when its holder is deleted', async () => {
    const who = await member(world)
    await grant(admin, space, who, 'viewer')
    await isOver(await kubeconfigOf(who, space, cluster), 'deleted', () => directory.remove(`/users/${who.id}`))
  })

  it('when its holder is taken off the list of the space, and loses rights when they get a lower role', async () => {
    const who = await member(world)
    const entry = await grant(admin, space, who, 'deployer')
    const kubeconfig = await kubeconfigOf(who, space, cluster)
    expect(await statusOf(kubeconfig, 'secrets')).toBe(200)
    const lowered = { id: entry.id, role: 'viewer', owner: false, expiresAt: null }
    expect(
      (await admin.call(`/portal-api/v3/spaces/${space.id}/permissions`, { method: 'PUT', body: lowered })).status,
    ).toBe(200)
    await expect.poll(() => statusOf(kubeconfig, 'secrets'), promised).toBe(403)
    expect(await statusOf(kubeconfig, 'configmaps')).toBe(200)
    expect(await mine(who)).toMatchObject([{ role: 'viewer', state: 'valid' }])
    await isOver(kubeconfig, 'removed', () =>
      admin.call(`/portal-api/v3/spaces/${space.id}/permissions/${entry.id}`, { method: 'DELETE' }),
    )
  })

  it('when a group gave the right, and its holder leaves the group', async () => {
    const who = await member(world)
    await directory.post('/groups', { name: 'Crew' })
    const [crew] = await directory.get<{ id: string }[]>('/groups?search=Crew&exact=true')
    await directory.put(`/users/${who.id}/groups/${crew?.id}`)
    await grant(admin, space, { type: 'group', id: crew?.id ?? '' }, 'deployer')
    await expect
      .poll(async () => (await who.call(`/portal-api/v3/spaces/${space.id}`)).status, { timeout: 8000 })
      .toBe(200)
    await isOver(await kubeconfigOf(who, space, cluster), 'left a group', () =>
      directory.remove(`/users/${who.id}/groups/${crew?.id}`),
    )
  })

  it('when the space does not use the cluster any more', async () => {
    const short = await newSpace(admin, [cluster.id])
    const kubeconfig = await kubeconfigOf(admin, short, cluster)
    const { displayName, description } = short
    const body = { displayName, description, clusterIds: [] }
    await isOver(kubeconfig, 'cluster left', () =>
      admin.call(`/portal-api/v3/spaces/${short.id}`, { method: 'PUT', body }),
    )
  })

  it('by hand: of one’s own, in a space by who manages its members, on a cluster by who edits clusters', async () => {
    const who = await member(world)
    await grant(admin, space, who, 'manager')
    const own = await kubeconfigOf(who, space, cluster)
    const [{ id = '' } = {}] = await mine(who)
    expect((await admin.call(`${kubeconfigsPath}/${id}`, { method: 'DELETE' })).status).toBe(404)
    await isOver(own, 'own', () => who.call(`${kubeconfigsPath}/${id}`, { method: 'DELETE' }))
    const byHand = { state: 'ended', endedBecause: 'ended', endedBy: expect.stringMatching(/./) }
    expect((await mine(who)).find((one) => one.id === id)).toMatchObject(byHand)

    for (const [where, by] of [
      [`/cluster/v1/spaces/${space.id}/kubeconfigs`, who],
      [`/cluster/v1/clusters/${cluster.id}/kubeconfigs`, admin],
    ] as const) {
      const kubeconfig = await kubeconfigOf(who, space, cluster)
      const [{ id: next = '' } = {}] = await mine(who)
      const stranger = await member(world)
      expect((await stranger.call(`${where}/${next}`, { method: 'DELETE' })).status).toBeGreaterThanOrEqual(403)
      await isOver(kubeconfig, where, () => by.call(`${where}/${next}`, { method: 'DELETE' }))
    }
  })
})

describe('a cluster that was away', () => {
  // Only the Sandbox can be told to be away.
  it.runIf(realCluster === undefined)(
    'loses the kubeconfigs that were ended meanwhile, and what nobody knows of',
    async () => {
      const who = await member(world)
      await grant(admin, space, who, 'deployer')
      const kubeconfig = await kubeconfigOf(who, space, cluster)
      const [{ id = '' } = {}] = await mine(who)
      const body = { method: 'DELETE', kind: 'reset' }
      expect((await askCluster(stage.clusterAdmin, '/quayside/faults', { method: 'POST', body })).status).toBeLessThan(
        300,
      )
      expect((await who.call(`${kubeconfigsPath}/${id}`, { method: 'DELETE' })).status).toBe(204)
      expect((await mine(who))[0]).toMatchObject({ state: 'ending' })
      expect(await statusOf(kubeconfig, 'configmaps')).toBe(200)
      await askCluster(stage.clusterAdmin, '/quayside/faults', { method: 'DELETE' })
      await expect.poll(() => statusOf(kubeconfig, 'configmaps'), { timeout: 10_000, interval: 100 }).toBe(401)
      await expect.poll(async () => (await mine(who))[0]?.state, promised).toBe('ended')
    },
    30_000,
  )
})
