import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@quayside/embedded-postgres/ports'
import { kubeconfigFor } from '../kubeconfig.ts'
import type { Programs } from './build.ts'
import { type Credentials, makeCredentials, readCa } from './credentials.ts'
import { type Running, startProgram } from './program.ts'

/** A running kube-apiserver with its etcd and controllers. There are no nodes: no pod ever runs. */
interface RealCluster {
  url: string
  /** The path of an administrator's kubeconfig. */
  kubeconfig: string
  /** The numbers of the processes, by what runs in them. */
  pids: Record<'etcd' | 'apiServer' | 'controllerManager', number>
  stop(): Promise<void>
}

const HOST = '127.0.0.1'
const READY_WITHIN = 90_000

/** Starts a fresh cluster in a folder of its own, which `stop` takes away. */
export async function runCluster(programs: Programs): Promise<RealCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'kube-apiserver-'))
  const running: Running[] = []
  const stop = async () => {
    for (const program of running.splice(0).reverse()) await program.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const credentials = await makeCredentials(folder)
    const ports = { etcd: await freePort(HOST), peer: await freePort(HOST), api: await freePort(HOST) }
    const url = `https://${HOST}:${ports.api}`
    const start = (path: string, name: string, flags: Record<string, string | number>) => {
      const program = startProgram(path, flags, join(folder, `${name}.log`))
      running.push(program)
      return program
    }
    const etcd = start(programs.etcd, 'etcd', etcdFlags(folder, ports))
    const apiServer = start(programs.apiServer, 'kube-apiserver', apiServerFlags(credentials, ports))
    await untilReady(url, credentials, apiServer)
    const config = controllersKubeconfig(folder, url, credentials)
    const controllers = start(programs.controllerManager, 'controllers', controllerFlags(credentials, config))
    const kubeconfig = join(folder, 'kubeconfig')
    const text = kubeconfigFor({ name: 'real', url, caPem: readCa(credentials), token: credentials.adminToken })
    writeFileSync(kubeconfig, text, { mode: 0o600 })
    const pids = { etcd: etcd.pid, apiServer: apiServer.pid, controllerManager: controllers.pid }
    return { url, kubeconfig, pids, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Ports {
  etcd: number
  peer: number
  api: number
}

const etcdFlags = (folder: string, { etcd, peer }: Ports) => ({
  'data-dir': join(folder, 'etcd'),
  'listen-client-urls': `http://${HOST}:${etcd}`,
  'advertise-client-urls': `http://${HOST}:${etcd}`,
  'listen-peer-urls': `http://${HOST}:${peer}`,
  'initial-advertise-peer-urls': `http://${HOST}:${peer}`,
  'initial-cluster': `default=http://${HOST}:${peer}`,
  'log-level': 'error',
})

const apiServerFlags = (credentials: Credentials, { etcd, api }: Ports) => ({
  'etcd-servers': `http://${HOST}:${etcd}`,
  'bind-address': HOST,
  'advertise-address': HOST,
  'secure-port': api,
  'tls-cert-file': credentials.certificate,
  'tls-private-key-file': credentials.key,
  'client-ca-file': credentials.ca,
  'token-auth-file': credentials.tokens,
  'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
  'service-account-key-file': credentials.accountPublicKey,
  'service-account-signing-key-file': credentials.accountKey,
  'service-cluster-ip-range': '10.96.0.0/16',
  'authorization-mode': 'Node,RBAC',
  'allow-privileged': 'true',
})

const controllerFlags = (credentials: Credentials, kubeconfig: string) => ({
  kubeconfig,
  'authentication-kubeconfig': kubeconfig,
  'authorization-kubeconfig': kubeconfig,
  'secure-port': 0,
  'leader-elect': 'false',
  'use-service-account-credentials': 'true',
  'service-account-private-key-file': credentials.accountKey,
  'root-ca-file': credentials.ca,
  'cluster-signing-cert-file': credentials.ca,
  'cluster-signing-key-file': credentials.caKey,
  // A run of the checks leaves hundreds of namespaces to clear; with the usual rates one that is waited for stands in line.
  'kube-api-qps': 500,
  'kube-api-burst': 1000,
  'concurrent-namespace-syncs': 20,
})

function controllersKubeconfig(folder: string, url: string, credentials: Credentials): string {
  const path = join(folder, 'controllers.kubeconfig')
  const token = credentials.controllersToken
  writeFileSync(path, kubeconfigFor({ name: 'real', url, caPem: readCa(credentials), token }), { mode: 0o600 })
  return path
}

/** Waits until the API server says that it is ready; its last lines when it ends instead. */
async function untilReady(url: string, credentials: Credentials, program: Running): Promise<void> {
  const agent = new Agent({ ca: readCa(credentials) })
  const headers = { authorization: `Bearer ${credentials.adminToken}` }
  const deadline = Date.now() + READY_WITHIN
  const isReady = () =>
    new Promise<boolean>((answer) => {
      request(`${url}/readyz`, { agent, headers }, (response) => {
        response.resume()
        answer(response.statusCode === 200)
      })
        .on('error', () => answer(false))
        .end()
    })
  while (!(await isReady())) {
    program.throwIfEnded()
    if (Date.now() > deadline) throw new Error(`kube-apiserver was not ready in ${READY_WITHIN / 1000} s`)
    await delay(200)
  }
  agent.destroy()
}
