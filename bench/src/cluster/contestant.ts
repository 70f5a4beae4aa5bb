import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import { type HttpsClient, httpsClient } from '@quayside/embedded-kubernetes/conformance/https-client'
import { builtPrograms } from '@quayside/embedded-kubernetes/kube-apiserver/build'
import { runCluster } from '@quayside/embedded-kubernetes/kube-apiserver/run'

/** A cluster under measurement. */
export interface Contestant {
  name: string
  kubeconfig: string
  https: HttpsClient
  /** MiB that its processes hold now, and the most they ever held. */
  memory(): { now: number; peak: number }
  stop(): Promise<void>
}

function held(pids: readonly number[]) {
  const texts = pids.map((pid) => readFileSync(`/proc/${pid}/status`, 'utf8'))
  const sum = (field: string) =>
    texts.reduce(
      (total, text) => total + Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024,
      0,
    )
  return { now: sum('VmRSS'), peak: sum('VmHWM') }
}

async function clientOf(kubeconfig: string): Promise<HttpsClient> {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  return httpsClient(config)
}

export async function startSandbox(): Promise<Contestant> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sandbox-'))
  const child = fork(join(import.meta.dirname, 'run-sandbox.ts'), [folder])
  const [{ kubeconfig: text }] = (await once(child, 'message')) as [{ kubeconfig: string }]
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, text, { mode: 0o600 })
  const https = await clientOf(kubeconfig)
  return {
    name: 'Sandbox',
    kubeconfig,
    https,
    memory: () => held([child.pid ?? 0]),
    async stop() {
      https.close()
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A real kube-apiserver with etcd and controllers, when `npm run kube-apiserver` has built one here. */
export async function startReal(): Promise<Contestant | undefined> {
  const programs = builtPrograms()
  if (!programs) return undefined
  const cluster = await runCluster(programs)
  const https = await clientOf(cluster.kubeconfig)
  return {
    name: 'kube-apiserver',
    kubeconfig: cluster.kubeconfig,
    https,
    memory: () => held(Object.values(cluster.pids)),
    async stop() {
      https.close()
      await cluster.stop()
    },
  }
}
