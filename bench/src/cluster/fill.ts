import { setTimeout as delay } from 'node:timers/promises'
import { type Contestant, startSandbox } from './contestant.ts'
import { inParallel, listAll } from './rates.ts'

const PER_DEPLOYMENT = 50
const PER_NAMESPACE = 10
const READY_WITHIN = 600_000
const REST = 5_000

const deployment = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: PER_DEPLOYMENT,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [{ name: 'main', image: `${name}:1`, resources: { requests: { cpu: '100m', memory: '64Mi' } } }],
      },
    },
  },
})

async function must({ https }: Contestant, method: string, path: string, body: object): Promise<void> {
  const { code } = await https.call(method, path, { body })
  if (code >= 300) throw new Error(`${method} ${path} was answered ${code}`)
}

async function readyPods({ https }: Contestant): Promise<number> {
  const { items } = (await https.call('GET', '/apis/apps/v1/deployments')).body
  return items.reduce(
    (sum: number, { status }: { status?: { readyReplicas?: number } }) => sum + (status?.readyReplicas ?? 0),
    0,
  )
}

/** Fills a Sandbox with nodes and pods through its API, and tells what that takes. */
export async function fillSandbox(nodes: number, pods: number) {
  const sandbox = await startSandbox()
  try {
    const empty = sandbox.memory().now
    await must(sandbox, 'PUT', '/quayside/node-pools/large', { count: nodes, cpu: '64', memory: '256Gi' })
    const since = performance.now()
    const namespaces = Math.ceil(pods / PER_DEPLOYMENT / PER_NAMESPACE)
    await inParallel(namespaces, 4, async (at) => {
      const metadata = { name: `ns-${at}` }
      await must(sandbox, 'POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata })
      await delay(20)
      for (let one = 0; one < PER_NAMESPACE; one += 1) {
        await must(sandbox, 'POST', `/apis/apps/v1/namespaces/ns-${at}/deployments`, deployment(`d-${one}`))
      }
    })
    const wanted = namespaces * PER_NAMESPACE * PER_DEPLOYMENT
    const deadline = Date.now() + READY_WITHIN
    while ((await readyPods(sandbox)) < wanted) {
      if (Date.now() > deadline) throw new Error(`not all of ${wanted} pods were ready in ${READY_WITHIN / 1000} s`)
      await delay(500)
    }
    const filled = (performance.now() - since) / 1000
    const listed = performance.now()
    await listAll(sandbox, '/api/v1/pods')
    const listRate = wanted / ((performance.now() - listed) / 1000)
    await delay(REST)
    const { now, peak } = sandbox.memory()
    return { pods: wanted, seconds: filled, listRate, empty, rest: now, peak }
  } finally {
    await sandbox.stop()
  }
}
