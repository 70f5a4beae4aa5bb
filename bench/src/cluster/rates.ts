import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, runProgram } from '@quayside/embedded-kubernetes/conformance/programs'
import type { Contestant } from './contestant.ts'

const NAMESPACE = '/api/v1/namespaces/bench'
const PAGE = 500

/** Runs `work` for each number below `count`, so many at once. */
export async function inParallel(count: number, atOnce: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0
  const one = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return (performance.now() - since) / 1000
}

const configMap = (at: number) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `map-${at}`, labels: { bench: 'yes' } },
  data: { text: 'x'.repeat(500), more: String(at) },
})

/** Everything of a collection, page by page; how many there were. */
export async function listAll({ https }: Contestant, path: string): Promise<number> {
  let found = 0
  let more = ''
  do {
    const { body } = await https.call('GET', `${path}?limit=${PAGE}${more}`)
    found += body.items.length
    more = body.metadata.continue ? `&continue=${encodeURIComponent(body.metadata.continue)}` : ''
  } while (more)
  return found
}

/** Objects a second: written, read as a list, and seen by ten watches while they are written. */
export async function ratesOf(contestant: Contestant, count: number) {
  const { https } = contestant
  const make = async (at: number) => {
    const { code } = await https.call('POST', `${NAMESPACE}/configmaps`, { body: configMap(at) })
    if (code !== 201) throw new Error(`${contestant.name} answered ${code} to a config map`)
  }
  await https.call('POST', '/api/v1/namespaces', {
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bench' } },
  })
  const before = contestant.memory().now
  const writing = await seconds(() => inParallel(count, 8, make))
  const bytes = ((contestant.memory().now - before) * 2 ** 20) / count
  const listing = await seconds(async () => {
    for (let round = 0; round < 5; round += 1) await listAll(contestant, `${NAMESPACE}/configmaps`)
  })
  const { metadata } = (await https.call('GET', `${NAMESPACE}/configmaps?limit=1`)).body
  const path = `${NAMESPACE}/configmaps?watch=1&resourceVersion=${metadata.resourceVersion}`
  const seen = Math.min(500, count)
  const watching = await seconds(async () => {
    const watches = Array.from({ length: 10 }, () => https.watch(path, (lines) => lines.length >= seen))
    await inParallel(seen, 8, (at) => make(count + at))
    await Promise.all(watches)
  })
  return { writes: count / writing, lists: (5 * count) / listing, events: (10 * seen) / watching, bytes }
}

const CHART = 'apiVersion: v2\nname: bench\nversion: 1.0.0\n'
const TEMPLATE = `apiVersion: v1
kind: ConfigMap
metadata: { name: "{{ .Release.Name }}" }
data: { a: "1" }
---
apiVersion: v1
kind: Service
metadata: { name: "{{ .Release.Name }}" }
spec: { selector: { app: none }, ports: [{ port: 80 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: "{{ .Release.Name }}" }
spec:
  replicas: 0
  selector: { matchLabels: { app: "{{ .Release.Name }}" } }
  template:
    metadata: { labels: { app: "{{ .Release.Name }}" } }
    spec: { containers: [{ name: main, image: "main:1" }] }
`

/** Installs a second with four Helm at once, of a chart of three objects; undefined where there is no Helm. */
export async function installsOf({ name, kubeconfig }: Contestant, count: number): Promise<number | undefined> {
  const helm = await findProgram('helm')
  if (!helm) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'bench-helm-'))
  mkdirSync(join(folder, 'chart', 'templates'), { recursive: true })
  writeFileSync(join(folder, 'chart', 'Chart.yaml'), CHART)
  writeFileSync(join(folder, 'chart', 'templates', 'all.yaml'), TEMPLATE)
  cpSync(kubeconfig, join(folder, 'config'))
  const env = { KUBECONFIG: join(folder, 'config'), HOME: folder, HELM_NO_PLUGINS: '1' }
  const install = async (at: number) => {
    const { code, err } = await runProgram(helm, ['install', `r-${at}`, join(folder, 'chart'), '-n', 'bench'], env)
    if (code !== 0) throw new Error(`helm install on ${name}: ${err}`)
  }
  try {
    await install(count)
    return count / (await seconds(() => inParallel(count, 4, install)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
