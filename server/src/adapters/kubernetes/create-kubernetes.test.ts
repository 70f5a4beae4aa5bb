import type { IncomingMessage, ServerResponse } from 'node:http'
import { noReach } from '@quayside/contract/clusters/network-reach'
import { afterEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../platform/logging/logger.ts'
import { createKubernetes } from './create-kubernetes.ts'
import type { ClusterConnection } from './kubernetes.ts'
import { type Answer, json, startStubCluster } from './testing/stub-cluster.ts'

const unreachable = 'The cluster could not be reached.'
const kubernetes = createKubernetes({ log: createLogger('silent') })
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function connect(answer: Answer, allowPrivateAddresses = true): Promise<ClusterConnection> {
  const stub = await startStubCluster(answer)
  const connection = kubernetes.connect(stub.kubeconfig, { allowPrivateAddresses })
  closers.push(stub.close, connection.close)
  return connection
}
const pod = (name: string, version = '1') => ({ metadata: { name, namespace: 'a', resourceVersion: version } })
const podList = (items: unknown[], more: object = {}) => ({ apiVersion: 'v1', kind: 'PodList', metadata: more, items })

describe('a connection to a cluster', () => {
  it('lists page by page with its token, and says what each item is', async () => {
    const asked: string[] = []
    const connection = await connect((request, response) => {
      asked.push(request.url ?? '')
      expect(request.headers.authorization).toBe('Bearer stub-token')
      const isSecond = request.url?.includes('continue=next')
      json(response, 200, podList([pod(isSecond ? 'b' : 'a')], isSecond ? {} : { continue: 'next' }))
    })
    const pods = await connection.list('v1/pods', { namespace: 'a', labelSelector: 'app=x,tier in (a,b)' })
    expect(pods.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(['Pod a', 'Pod b'])
    expect(asked[0]).toBe('/api/v1/namespaces/a/pods?labelSelector=app%3Dx%2Ctier%20in%20(a%2Cb)&limit=500')
  })

  it('deletes without waiting for what is owned, and gives what is held nevertheless', async () => {
    const asked: string[] = []
    const connection = await connect((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      const finalizers = ['example.com/hold']
      if (request.url?.includes('/held')) json(response, 200, { metadata: { name: 'held', finalizers } })
      else if (request.url?.includes('/ending')) json(response, 200, { metadata: { name: 'ending' } })
      else json(response, 200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' })
    })
    expect(await connection.remove('v1/pods', 'a', 'gone')).toBeUndefined()
    expect(await connection.remove('v1/pods', 'a', 'ending', 0)).toBeUndefined()
    expect(await connection.remove('v1/pods', 'a', 'held')).toMatchObject({ metadata: { name: 'held' } })
    expect(asked).toContain('DELETE /api/v1/namespaces/a/pods/gone?propagationPolicy=Background')
  })

  it('finds nothing where there is nothing, and tells what was refused', async () => {
    const connection = await connect((request, response) =>
      request.url?.includes('/gone')
        ? json(response, 404, { kind: 'Status', reason: 'NotFound', message: 'not found' })
        : json(response, 403, { kind: 'Status', reason: 'Forbidden', message: 'pods is forbidden' }),
    )
    expect(await connection.get('v1/pods', 'a', 'gone')).toBeUndefined()
    await expect(connection.get('v1/pods', 'a', 'x')).rejects.toMatchObject({
      code: 'cluster.refused',
      reason: 'Forbidden',
      message: 'pods is forbidden',
    })
  })

  it('is not held up by a cluster that answers with another protocol', { timeout: 4000 }, async () => {
    const connection = await connect((request) => {
      request.socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n')
    })
    await expect(connection.get('v1/pods', 'a', 'x')).rejects.toMatchObject({ code: 'cluster.unreachable' })
  })

  it.each([-3_600_000, 3_600_000])('tells the time by the clock of the cluster, which is off by %i ms', async (off) => {
    const connection = await connect((_, response) => {
      response.setHeader('date', new Date(Date.now() + off).toUTCString())
      json(response, 404, { kind: 'Status', reason: 'NotFound' })
    })
    expect(Math.abs(connection.now() - Date.now())).toBeLessThan(1000)
    await connection.get('v1/pods', 'a', 'x')
    expect(Math.abs(connection.now() - Date.now() - off)).toBeLessThan(30_000)
  })

  it('gives up after 3 seconds, then at once, and tries again after a rest', async () => {
    const connection = await connect(() => undefined)
    const started = performance.now()
    const tries = await Promise.allSettled([1, 2, 3].map(() => connection.version()))
    expect(performance.now() - started).toBeLessThan(3900)
    expect(tries.every((one) => one.status === 'rejected' && one.reason.code === 'cluster.unreachable')).toBe(true)
    const again = performance.now()
    await expect(connection.version()).rejects.toMatchObject({ code: 'cluster.unreachable' })
    expect(performance.now() - again).toBeLessThan(100)
  }, 10_000)

  it('does not read an answer without end', async () => {
    const connection = await connect((_, response) => {
      const chunk = Buffer.alloc(1024 * 1024, ' ')
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        response.once('drain', more)
      }
      more()
    })
    await expect(connection.version()).rejects.toMatchObject({ message: expect.stringMatching(/too large|reached/) })
  }, 10_000)

  it('follows no redirect and believes nothing that has no shape', async () => {
    let body: unknown = '<html>'
    const connection = await connect((request, response) => {
      if (request.url?.startsWith('/version')) response.writeHead(302, { location: 'https://127.0.0.1:1/' }).end()
      else json(response, 200, body)
    })
    await expect(connection.version()).rejects.toMatchObject({ code: 'cluster.refused', httpStatus: 302 })
    await expect(connection.list('v1/pods')).rejects.toMatchObject({ reason: 'NotAnObject' })
    body = podList([null, 7, { metadata: {} }, pod('ok')])
    expect(await connection.list('v1/pods')).toHaveLength(1)
  })

  it('does not go to an address inside, unless that is allowed', async () => {
    let asked = 0
    const connection = await connect((_, response) => {
      asked += 1
      json(response, 200, { gitVersion: 'v1' })
    }, false)
    await expect(connection.version()).rejects.toMatchObject({
      message: unreachable,
      cause: { message: expect.stringContaining('not a public address') },
    })
    expect(asked).toBe(0)
  })

  it('does not trust a certificate that the kubeconfig does not', async () => {
    const stub = await startStubCluster((_, response) => json(response, 200, { gitVersion: 'v1' }))
    closers.push(stub.close)
    const text = stub.kubeconfig.replace(/ +certificate-authority-data: [\s\S]*?(?=users:)/, '')
    const connection = kubernetes.connect(text, { allowPrivateAddresses: true })
    closers.push(connection.close)
    await expect(connection.version()).rejects.toMatchObject({
      message: unreachable,
      cause: { message: expect.stringContaining('certificate') },
    })
  })

  it('never climbs out of a path', async () => {
    const connection = await connect((_, response) => json(response, 200, {}))
    await expect(connection.get('v1/pods', 'a', '..')).rejects.toThrow('not a name')
    await expect(connection.get('v1/../secrets', 'a', 'x')).rejects.toThrow('not a resource')
  })
})

describe('a watch', () => {
  it('lists, follows, goes on after a break, and says when there is a gap', async () => {
    const asked: string[] = []
    const watches: ServerResponse[] = []
    const connection = await connect((request: IncomingMessage, response) => {
      const url = new URL(request.url ?? '', 'https://x')
      if (!url.searchParams.has('watch')) return json(response, 200, podList([pod('a')], { resourceVersion: '10' }))
      asked.push(url.searchParams.get('resourceVersion') ?? '')
      response.writeHead(200)
      response.flushHeaders()
      watches.push(response)
    })
    const seen: string[] = []
    const watch = connection.watch(
      'v1/pods',
      { namespace: 'a' },
      {
        change: (type, object) => seen.push(`${type} ${object.metadata.name}`),
        gap: () => seen.push('gap'),
      },
    )
    closers.push(watch.stop)
    const say = (note: object) => watches.at(-1)?.write(`${JSON.stringify(note)}\n`)
    const until = (test: () => boolean) => expect.poll(test, { timeout: 8000, interval: 10 }).toBe(true)
    await until(() => watches.length === 1)
    say({ type: 'ADDED', object: pod('b', '11') })
    say({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '20' } } })
    await until(() => seen.length === 2)
    watches[0]?.end()
    await until(() => watches.length === 2)
    say({ type: 'ERROR', object: { code: 410 } })
    await until(() => watches.length === 3)
    say({ type: 'DELETED', object: pod('a', '30') })
    await until(() => seen.length === 5)
    expect(asked).toEqual(['10', '20', '10'])
    expect(seen).toEqual(['ADDED a', 'ADDED b', 'gap', 'ADDED a', 'DELETED a'])
  }, 15_000)
})

describe('the identity of a space', () => {
  it('lives in the namespace of the portal with rights in its own one alone, and another space does not get it', async () => {
    const asked: string[] = []
    const sent: Record<string, unknown>[] = []
    let owner: string | undefined
    const connection = await connect((request, response, body) => {
      const path = (request.url ?? '').split('?')[0] ?? ''
      asked.push(`${request.method} ${path}`)
      if (body !== '') sent.push(JSON.parse(body))
      if (path.endsWith('/token')) return json(response, 201, { status: { token: 'of-the-space' } })
      if (request.method === 'PATCH') return json(response, 200, JSON.parse(body))
      if (path === '/api' || path === '/apis') return json(response, 200, { kind: 'APIGroupDiscoveryList', items: [] })
      if (owner && path.endsWith('/namespaces/team-1'))
        return json(response, 200, { metadata: { name: 'team-1', labels: { 'quayside.io/space': owner } } })
      json(response, 404, { reason: 'NotFound' })
    })
    const isolation = {
      ...({
        podSecurity: 'baseline',
        network: 'standard',
        priorityClasses: [],
        ingressNamespaces: [],
        apiServers: [],
      } as const),
      reaches: noReach,
    }
    const space = { tenantId: 't1', clusterId: 'c1', spaceId: 's1', namespace: 'team-1', isolation }
    const kubeconfig = await connection.spaceKubeconfig(space)
    expect(kubeconfig).toContain('token: "of-the-space"')
    expect(kubeconfig).not.toContain('stub-token')
    expect(asked).toContain('PATCH /api/v1/namespaces/quayside-system/serviceaccounts/space-s1')
    expect(asked).toContain('POST /api/v1/namespaces/quayside-system/serviceaccounts/space-s1/token')
    expect(asked).toContain('PATCH /apis/rbac.authorization.k8s.io/v1/namespaces/team-1/rolebindings/quayside-deployer')
    expect(asked.some((one) => one.startsWith('PATCH') && one.includes('clusterrolebindings'))).toBe(false)
    expect(sent).toContainEqual(
      expect.objectContaining({
        kind: 'RoleBinding',
        roleRef: expect.objectContaining({ name: 'quayside:deployer-account' }),
        subjects: [{ kind: 'ServiceAccount', name: 'space-s1', namespace: 'quayside-system' }],
      }),
    )
    expect(sent).toContainEqual(
      expect.objectContaining({
        spec: expect.objectContaining({
          boundObjectRef: expect.objectContaining({ kind: 'Secret', name: 'space-s1' }),
        }),
      }),
    )
    const namespace = sent.find(
      ({ kind, metadata }) => kind === 'Namespace' && (metadata as { name: string }).name === 'team-1',
    )
    expect(namespace?.metadata).toMatchObject({ labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } })
    owner = 's2'
    await expect(connection.spaceKubeconfig(space)).rejects.toThrow('belongs to another space')
  })
})
