import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type {
  AppOverview,
  Cluster,
  ClusterEvent,
  ClusterNode,
  KubeService,
  Pod,
  Workload,
} from '@quayside/contract/clusters/endpoints'
import type { LogEntry } from '@quayside/contract/clusters/log-entry'
import type { Accepted, Action } from '@quayside/contract/deployments/endpoints'
import type { ErrorReply } from '@quayside/contract/http/errors'
import type { ListReply } from '@quayside/contract/http/paging'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { packChart } from '@quayside/embedded/seed/chart-package'
import { World } from '@quayside/embedded/world'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let world: World
let admin: string
let viewer: string
let kubeconfig: string
let cluster: Cluster
let space: Space
let app: App

const charts = join(import.meta.dirname, '../../../../samples/charts')
const clients = { clusters: 'quayside-portal-ui-clusters', apps: 'quayside-portal-ui-catalog-apps' }

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 }, env: { QUAYSIDE_ALLOWED_ADDRESSES: '127.0.0.1:1' } })
  kubeconfig = readFileSync(world.kubeconfig, 'utf8')
  admin = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  viewer = await world.tokenFor({ realmRoles: ['quayside-viewer'] })
})
afterAll(() => world?.close())

async function call<T>(path: string, init: { token?: string; method?: string; body?: unknown } = {}) {
  const answer = await world.api(path, { token: admin, ...init })
  const text = await answer.text()
  return { status: answer.status, body: (text ? JSON.parse(text) : undefined) as T }
}
async function good<T>(path: string, init: Parameters<typeof call>[1] = {}): Promise<T> {
  const { status, body } = await call<T>(path, init)
  expect(status, `${path} ${JSON.stringify(body)}`).toBeLessThan(300)
  return body
}
const input = (more: object = {}) => ({ displayName: 'Sandbox', iaas: { type: 'Sandbox' }, kubeconfig, ...more })
const refused = async (path: string, init: Parameters<typeof call>[1] = {}) => {
  const { status, body } = await call<ErrorReply>(path, init)
  return { status, code: body.code, field: body.field }
}

describe('clusters are refused', () => {
  it('to who is not signed in (401) or has not the role (403), and apps to who does not see them (404)', async () => {
    for (const [path, status] of [
      ['/cluster/v2/clusters', 403],
      ['/cluster/v1/clusters/x/nodes', 403],
      ['/cluster/v1/apps/x/pods', 404],
      ['/log/v1/apps/x/pods/y', 404],
    ] as const) {
      expect((await world.api(path)).status, path).toBe(401)
      expect((await world.api(path, { token: await world.tokenFor() })).status, path).toBe(status)
    }
    expect((await world.api('/cluster/v1/clusters', { token: viewer, body: input() })).status).toBe(403)
  })

  it('when the input is wrong, naming the field (400)', async () => {
    const create = (body: unknown) => refused('/cluster/v1/clusters', { body })
    expect(await create({ ...input(), displayName: '' })).toMatchObject({ status: 400, field: 'displayName' })
    expect(await create({ ...input(), secret: 1 })).toMatchObject({ status: 400 })
    expect(await create(input({ context: 'other' }))).toMatchObject({
      code: 'cluster.kubeconfig-refused',
      field: 'kubeconfig.contexts',
    })
    const exec = kubeconfig.replace(/token: .*/, 'exec: { command: sh }')
    expect(await create(input({ kubeconfig: exec }))).toEqual({
      status: 400,
      code: 'cluster.kubeconfig-refused',
      field: 'kubeconfig.user.exec',
    })
  })

  it('when there is no such cluster or app (404)', async () => {
    for (const path of [
      '/cluster/v1/clusters/nobody',
      '/cluster/v1/clusters/nobody/nodes',
      '/cluster/v2/clusters/nobody/events',
    ])
      expect(await refused(path)).toMatchObject({ status: 404, code: 'cluster.not-found' })
    for (const path of ['/cluster/v1/apps/nobody/overview', '/log/v1/apps/nobody/pods/x'])
      expect(await refused(path)).toMatchObject({ status: 404, code: 'app.not-found' })
  })
})

describe('a cluster', () => {
  it('is registered, looked at, and keeps its kubeconfig to itself', async () => {
    cluster = await good<Cluster>('/cluster/v1/clusters', { body: input() })
    expect(cluster).toMatchObject({
      name: 'sandbox',
      simulated: true,
      health: 'healthy',
      version: expect.stringMatching(/^v1\./),
    })
    expect(cluster.nodes.ready).toBeGreaterThan(0)
    expect(cluster.capacity.cpuMillis).toBeGreaterThan(0)
    const token = /token: "?([^"\s]+)/.exec(kubeconfig)?.[1] ?? ''
    expect(token).not.toBe('')
    for (const path of [`/cluster/v1/clusters/${cluster.id}`, '/cluster/v2/clusters', '/cluster/v1/clusters/list'])
      expect(JSON.stringify(await good(path))).not.toContain(token)
    expect(await refused('/cluster/v1/clusters', { body: input() })).toMatchObject({
      status: 409,
      code: 'cluster.name-taken',
    })
  })

  it('tells its nodes, storage classes, health and events', async () => {
    const base = `/cluster/v1/clusters/${cluster.id}`
    const nodes = await good<{ data: ClusterNode[] }>(`${base}/nodes`, { token: viewer })
    expect(nodes.data.every(({ ready }) => ready)).toBe(true)
    expect(
      (await good<{ data: { isDefault: boolean }[] }>(`${base}/storageClasses`)).data.some(
        ({ isDefault }) => isDefault,
      ),
    ).toBe(true)
    expect(await good(`${base}/healthCheck`)).toMatchObject({ healthy: true })
    const events = await good<ListReply<ClusterEvent>>(`/cluster/v2/clusters/${cluster.id}/events?page.limit=5`)
    expect(events.data.length).toBeLessThanOrEqual(5)
    expect(await refused(`/cluster/v2/clusters/${cluster.id}/events?filters.shape=round`)).toMatchObject({
      status: 400,
      field: 'filters.shape',
    })
  })

  it('that does not answer says so within seconds, and the others go on', async () => {
    const body = input({
      displayName: 'Gone',
      kubeconfig: kubeconfig.replace(/server: \S+/, 'server: https://127.0.0.1:1'),
    })
    const gone = await good<Cluster>('/cluster/v1/clusters', { body })
    expect(gone).toMatchObject({ health: 'unreachable' })
    expect(await refused(`/cluster/v1/clusters/${gone.id}/nodes`)).toMatchObject({
      status: 502,
      code: 'cluster.unreachable',
    })
    expect(await good(`/cluster/v1/clusters/${cluster.id}/nodes`)).toBeDefined()
    const mended = await good<Cluster>(`/cluster/v1/clusters/${gone.id}`, {
      method: 'PUT',
      body: { kubeconfig, displayName: 'Back' },
    })
    expect(mended).toMatchObject({ health: 'healthy', displayName: 'Back', name: 'back' })
    expect((await call(`/cluster/v1/clusters/${gone.id}`, { method: 'DELETE' })).status).toBe(202)
    await expect.poll(async () => (await call(`/cluster/v1/clusters/${gone.id}`)).status, { timeout: 10_000 }).toBe(404)
  })
})

async function deploy(): Promise<App> {
  const form = new FormData()
  form.set('file', new Blob([Buffer.from(await packChart(join(charts, 'web-page/1.0.0'), 'web-page'))]), 'web-page.tgz')
  const { itemId, versionId } = await good<{ itemId: string; versionId: string }>('/catalog/v1/upload/uploadasync', {
    body: form,
  })
  const catalogChild: CatalogChild = {
    item: await good(`/catalog/v2/items/${itemId}`),
    version: await good(`/catalog/v2/versions/${versionId}`),
  }
  space = await good('/portal-api/v3/spaces', { body: { displayName: 'Team', clusterIds: [cluster.id] } })
  const tenant = await good<{ id: string }>(`/portal-api/v2/tenants/byrealm/${world.realm}`)
  const assigned = await good<App>('/deployment/v1/helm/deployment/actions.Assign', {
    body: { tenantId: tenant.id, spaceId: space.id, clusterId: cluster.id, catalogChild },
  })
  const releaseName = `web-${assigned.id}`
  const appMetadata = {
    tenantIdentifier: world.realm,
    envIdentifier: space.identifier,
    instanceIdentifier: assigned.identifier,
    appIdentifier: assigned.identifier,
  }
  const deployData = {
    realm: 'demo',
    clusterId: cluster.id,
    spaceId: space.id,
    namespace: space.namespace,
    appMetadata,
    yaml: '',
    catalogChild,
  }
  const body = { appId: assigned.id, versionId, releaseName, deployData }
  const { actionId } = await good<Accepted>('/deployment/v1/helm/deployment/actions.Deploy', { body })
  const action = await good<Action>(`/deployment/v1/actions/${actionId}?wait=50`)
  expect(action, JSON.stringify(action.result)).toMatchObject({ state: 'Success' })
  return good(`/portal-api/v2/apps/${assigned.id}`)
}

describe('an app on a cluster', () => {
  beforeAll(async () => {
    app = await deploy()
  })
  const of = <T>(what: string) => good<T>(`/cluster/v1/apps/${app.id}/${what}`, { token: viewer })

  it('shows its release and everything that belongs to it, as a tree', async () => {
    const overview = await of<AppOverview>('overview')
    expect(overview).toMatchObject({
      state: 'healthy',
      release: { revision: 1, status: 'deployed', namespace: space.namespace },
    })
    const deployment = overview.objects.find(({ kind }) => kind === 'Deployment')
    const pods = overview.objects.filter(({ kind }) => kind === 'Pod')
    expect(pods.length).toBeGreaterThan(0)
    expect(pods.every(({ parent }) => parent === deployment?.id)).toBe(true)
    expect(overview.objects.some(({ kind }) => kind === 'ReplicaSet')).toBe(false)
    expect(overview.objects.filter(({ state }) => state !== 'healthy')).toEqual([])
    expect(overview.endpoints.length).toBeGreaterThan(0)
  })

  it('lists pods, workloads, services and events', async () => {
    const { data: pods } = await of<{ data: Pod[] }>('pods')
    expect(pods[0]).toMatchObject({ state: 'healthy', owner: { kind: 'Deployment' }, namespace: space.namespace })
    expect((await of<{ data: Workload[] }>('deployments')).data[0]).toMatchObject({
      kind: 'Deployment',
      state: 'healthy',
    })
    expect((await of<{ data: KubeService[] }>('services')).data[0]?.ports.length).toBeGreaterThan(0)
    expect((await of<{ data: ClusterEvent[] }>('events')).data.some(({ reason }) => reason === 'Started')).toBe(true)
    expect(await of('pvcs')).toEqual({ data: [] })
    expect(await of('serviceAccounts')).toHaveProperty('data')
  })

  it('gives the log of its own pods and of no others, and follows it until the reader leaves', async () => {
    const [pod] = (await of<{ data: Pod[] }>('pods')).data
    const path = `/log/v1/apps/${app.id}/pods/${pod?.name}`
    const log = await world.api(`${path}?tailLines=5`, { token: viewer })
    expect(log.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect((await log.text()).trim().split('\n').length).toBeLessThanOrEqual(5)
    const other = await refused(`/log/v1/apps/${app.id}/pods/coredns`)
    expect(other).toMatchObject({ status: 404, code: 'cluster.pod-not-found' })
    const leaving = new AbortController()
    const follow = await fetch(`${world.url}${path}?follow=true`, {
      headers: { authorization: `Bearer ${viewer}` },
      signal: leaving.signal,
    })
    expect((await follow.body?.getReader().read())?.value?.length).toBeGreaterThan(0)
    leaving.abort()
    expect((await world.api(`${path}?tailLines=1`, { token: viewer })).status).toBe(200)
  })

  it('gives the logs of all its pods as one, and of no others, and follows them until the reader leaves', async () => {
    const names = (await of<{ data: Pod[] }>('pods')).data.map(({ name }) => name)
    const path = `/log/v1/apps/${app.id}/lines`
    const log = await world.api(`${path}?tailLines=5`, { token: viewer })
    expect(log.headers.get('content-type')).toBe('application/x-ndjson')
    const entries = (await log.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LogEntry)
    expect(entries.at(-1)).toEqual({ note: 'caught-up' })
    const lines = entries.flatMap((entry) => ('line' in entry ? [entry] : []))
    expect(new Set(lines.map(({ pod }) => pod))).toEqual(new Set(names))
    expect(lines).toEqual(lines.toSorted((a, b) => String(a.at).localeCompare(String(b.at))))
    expect(await lookFor('no line has this')).toEqual([{ note: 'caught-up' }])
    expect((await lookFor('STARTING')).length).toBeGreaterThan(1)
    expect(await lookFor('starting', 'coredns')).toEqual([{ note: 'caught-up' }])
    const leaving = new AbortController()
    const follow = await fetch(`${world.url}${path}?follow=true`, {
      headers: { authorization: `Bearer ${viewer}` },
      signal: leaving.signal,
    })
    expect((await follow.body?.getReader().read())?.value?.length).toBeGreaterThan(0)
    leaving.abort()

    async function lookFor(search: string, pods?: string): Promise<LogEntry[]> {
      const query = new URLSearchParams({ search, ...(pods === undefined ? {} : { pods }) })
      const text = await (await world.api(`${path}?${query}`, { token: viewer })).text()
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as LogEntry)
    }
  })

  it('takes nothing of the cluster for readers who have left before they were answered', async () => {
    const path = `${world.url}/log/v1/apps/${app.id}/lines?follow=true`
    const headers = { authorization: `Bearer ${viewer}` }
    // A person has a hundred places; these would take more.
    for (let round = 0; round < 6; round++) {
      const readings = Array.from({ length: 20 }, (_, index) => {
        const leaving = new AbortController()
        setTimeout(() => leaving.abort(), index * 5)
        return fetch(path, { headers, signal: leaving.signal }).then(
          (answer) => answer.text(),
          () => '',
        )
      })
      await Promise.allSettled(readings)
    }
    const notes = async () => {
      const text = await (await world.api(`/log/v1/apps/${app.id}/lines?tailLines=1`, { token: viewer })).text()
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as LogEntry)
    }
    await expect.poll(async () => (await notes()).filter((entry) => 'note' in entry)).toEqual([{ note: 'caught-up' }])
  })

  it('tells who looks that a pod was deleted and another came', async () => {
    const socket = io(world.url, { path: '/deployment/socket.io', transports: ['websocket'], auth: { token: viewer } })
    try {
      const notes: unknown[] = []
      socket.on('changed', (note: unknown) => notes.push(note))
      socket.emit('watch', { topic: 'app', id: app.id })
      await expect.poll(() => notes.length, { timeout: 10_000 }).toBeGreaterThan(0)
      const [pod] = (await of<{ data: Pod[] }>('pods')).data
      const before = notes.length
      const path = (namespace: string) => `/cluster/v1/apps/${app.id}/${namespace}/pods/${pod?.name}`
      expect(await refused(path('kube-system'), { method: 'DELETE' })).toMatchObject({ code: 'cluster.pod-not-found' })
      expect((await call(path(space.namespace), { method: 'DELETE' })).status).toBe(204)
      await expect.poll(() => notes.length, { timeout: 10_000 }).toBeGreaterThan(before)
      const isBack = async () => {
        const { data } = await of<{ data: Pod[] }>('pods')
        return data.length > 0 && data.every(({ name, state }) => name !== pod?.name && state === 'healthy')
      }
      await expect.poll(isBack, { timeout: 20_000 }).toBe(true)
      expect(notes).toContainEqual({ topic: 'app', id: app.id })
    } finally {
      socket.disconnect()
    }
  })

  it('keeps its cluster from being deregistered', async () => {
    expect(await refused(`/cluster/v1/clusters/${cluster.id}`, { method: 'DELETE' })).toMatchObject({
      status: 409,
      code: 'cluster.in-use',
    })
    expect(await good(`/cluster/v1/clusters/${cluster.id}`)).toMatchObject({ appCount: 1, spaceCount: 1 })
  })

  it('does not exist for another space or cluster', async () => {
    expect(await good(`/cluster/v1/secrets/spaces/${space.id}/clusters/${cluster.id}`)).toEqual({ data: [] })
    expect(await refused(`/cluster/v1/secrets/spaces/nobody/clusters/${cluster.id}`)).toMatchObject({
      code: 'space.not-found',
    })
    const token = await world.tokenFor({ clientRoles: { [clients.clusters]: ['clusters.view'] } })
    const said = await call<ErrorReply>(`/cluster/v1/apps/${app.id}/pods`, { token })
    expect(said).toMatchObject({ status: 404, body: { code: 'app.not-found' } })
    const pod = `/cluster/v1/apps/${app.id}/${space.namespace}/pods/any`
    expect((await world.api(pod, { token: viewer, method: 'DELETE' })).status).toBe(403)
  })
})
