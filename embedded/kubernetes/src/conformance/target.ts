import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import type { Need } from './check.ts'
import { type HttpsClient, httpsClient } from './https-client.ts'
import { pod } from './objects.ts'
import { findProgram, type Program, runProgram } from './programs.ts'
import { semaphore } from './semaphore.ts'

/** The cluster under test: how to reach it, and what it has. */
export interface Target {
  readonly config: KubeConfig
  readonly kubeconfigPath: string
  readonly https: HttpsClient
  readonly kubectl: Program | undefined
  readonly helm: Program | undefined
  /** A folder for the files of this run. */
  readonly folder: string
  readonly has: ReadonlySet<Need>
  /** Told at the head of the report. */
  readonly version: string
  close(): void
}

const PROBE_DEADLINE = 8_000
const PAUSE = 100
/** An API server has its store forget the past every five minutes, what is older than that: twice is enough. */
const FORGOTTEN_AFTER = 11 * 60_000

export async function openTarget(kubeconfigPath: string, { programsAtOnce = 3 } = {}): Promise<Target> {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfigPath)
  const https = await httpsClient(config)
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  const limit = semaphore(programsAtOnce)
  const env = programEnvironment(kubeconfigPath, folder)
  const programOf = async (name: 'kubectl' | 'helm', first: string[]): Promise<Program | undefined> => {
    const path = await findProgram(name)
    if (!path) return undefined
    return (args, { input, env: more } = {}) =>
      limit(() => runProgram(path, [...first, ...args], { ...env, ...more }, input))
  }
  const version = (await https.call('GET', '/version')).body.gitVersion
  return {
    config,
    kubeconfigPath,
    https,
    kubectl: await programOf('kubectl', ['--cache-dir', join(folder, 'cache')]),
    helm: await programOf('helm', []),
    folder,
    version,
    has: await whatItHas(https),
    close() {
      https.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function programEnvironment(kubeconfig: string, folder: string): Record<string, string> {
  const home = join(folder, 'home')
  mkdirSync(home)
  return { KUBECONFIG: kubeconfig, HOME: home, PATH: process.env.PATH ?? '', LC_ALL: 'C', HELM_NO_PLUGINS: '1' }
}

/** Asks the cluster what works in it, by looking at what it does. */
async function whatItHas({ call }: HttpsClient): Promise<Set<Need>> {
  const has = new Set<Need>()
  const nodes: Node[] = (await call('GET', '/api/v1/nodes')).body.items
  if (nodes.some(({ metadata }) => metadata.labels?.['quayside.io/simulated'] === 'true')) has.add('sandbox')
  if ((await call('GET', '/apis/metrics.k8s.io/v1beta1/nodes')).code === 200) has.add('metrics')
  if (has.has('sandbox') || (await ageOf(call)) > FORGOTTEN_AFTER) has.add('past')
  const name = `conformance-probe-${Math.random().toString(36).slice(2, 8)}`
  const path = `/api/v1/namespaces/${name}`
  await call('POST', '/api/v1/namespaces', { body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } })
  try {
    const authority = await soon(async () => (await call('GET', `${path}/configmaps/kube-root-ca.crt`)).code === 200)
    if (authority) has.add('controllers')
    if (authority && nodes.length > 0) {
      await soon(async () => (await call('GET', `${path}/serviceaccounts/default`)).code === 200)
      await call('POST', `${path}/pods`, { body: pod('probe') })
      const runs = async () => (await call('GET', `${path}/pods/probe`)).body.status.phase === 'Running'
      if (await soon(runs)) has.add('nodes')
    }
    return has
  } finally {
    await call('DELETE', path)
    if (!has.has('controllers'))
      await call('PUT', `${path}/finalize`, {
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: [] } },
      })
  }
}

/** How long ago the cluster was made. */
async function ageOf(call: HttpsClient['call']): Promise<number> {
  const { metadata } = (await call('GET', '/api/v1/namespaces/kube-system')).body
  return Date.now() - Date.parse(metadata?.creationTimestamp ?? new Date())
}

interface Node {
  metadata: { labels?: Record<string, string> }
}

/** Tells whether it comes to be so. */
async function soon(isSo: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + PROBE_DEADLINE
  while (Date.now() < deadline) {
    if (await isSo()) return true
    await new Promise((next) => setTimeout(next, PAUSE))
  }
  return false
}
