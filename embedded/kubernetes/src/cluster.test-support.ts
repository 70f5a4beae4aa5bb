import { mkdtempSync, rmSync } from 'node:fs'
import type { ClientRequest } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts'

interface Answer {
  code: number
  headers: Record<string, string | string[] | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every kind
  body: any
}

interface CallOptions {
  body?: unknown
  type?: string
  accept?: string
  token?: string | null
  headers?: Record<string, string>
  /** Shows this certificate instead of a token. */
  certificate?: { certificatePem: string; keyPem: string }
}

/** A running cluster of a test, with its state in a folder of its own, and a client that trusts it. */
export interface TestCluster extends AsyncDisposable {
  readonly cluster: Cluster
  readonly folder: string
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Lines of a watch until `enough` says so. */
  watch(path: string, enough: (lines: Answer['body'][]) => boolean): Promise<Answer['body'][]>
  restart(): Promise<void>
}

interface Kubeconfig {
  clusters: [{ cluster: { 'certificate-authority-data': string } }]
  users: [{ user: { token: string } }]
}

const WATCH_DEADLINE = 10_000

type TestClusterOptions = Pick<ClusterOptions, 'workloads' | 'speed' | 'maxTokenSeconds'>

export async function testCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'))
  const start = () => startCluster({ workloads: false, speed: 20, ...options, dataDir: folder })
  let cluster = await start()
  const config = parse(cluster.kubeconfig) as Kubeconfig
  const ca = Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64')
  const adminToken = config.users[0].user.token
  let agent = new Agent({ ca, keepAlive: true })

  function open(method: string, path: string, options: CallOptions) {
    const { body, type, accept, headers, certificate } = options
    const token = options.token === undefined && !certificate ? adminToken : options.token
    const payload =
      body === undefined || Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body)
    const sent = httpsRequest(new URL(path, cluster.url), {
      method,
      agent: certificate ? false : agent,
      ...(certificate ? { ca, cert: certificate.certificatePem, key: certificate.keyPem } : {}),
      headers: {
        ...(!token ? {} : { authorization: `Bearer ${token}` }),
        ...(payload === undefined
          ? {}
          : { 'content-type': type ?? 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
        ...(accept ? { accept } : {}),
        'user-agent': 'test-client/1',
        ...headers,
      },
    })
    sent.end(payload)
    return sent
  }

  return {
    get cluster() {
      return cluster
    },
    folder,
    call: callBy(open),
    watch: watchBy(open),
    async restart() {
      agent.destroy()
      await cluster.close()
      cluster = await start()
      agent = new Agent({ ca, keepAlive: true })
    },
    async [Symbol.asyncDispose]() {
      agent.destroy()
      await cluster.close()
      rmSync(folder, { recursive: true })
    },
  }
}

type Open = (method: string, path: string, options: CallOptions) => ClientRequest

const callBy =
  (open: Open): TestCluster['call'] =>
  (method, path, options = {}) =>
    new Promise<Answer>((done, failed) => {
      open(method, path, options)
        .on('error', failed)
        .on('response', async (response) => {
          const chunks: Buffer[] = []
          for await (const chunk of response) chunks.push(chunk)
          const text = Buffer.concat(chunks).toString()
          const isJson = String(response.headers['content-type']).startsWith('application/json')
          done({ code: response.statusCode ?? 0, headers: response.headers, body: isJson ? JSON.parse(text) : text })
        })
    })

const watchBy =
  (open: Open): TestCluster['watch'] =>
  (path, enough) =>
    new Promise((done, failed) => {
      const lines: Answer['body'][] = []
      const sent = open('GET', path, {})
      const timer = setTimeout(() => {
        sent.destroy()
        failed(new Error(`the watch showed only ${JSON.stringify(lines)}`))
      }, WATCH_DEADLINE)
      sent.on('error', failed).on('response', async (response) => {
        let rest = ''
        for await (const chunk of response) {
          const parts = (rest + chunk).split('\n')
          rest = parts.pop() ?? ''
          lines.push(...parts.map((line) => JSON.parse(line)))
          if (enough(lines)) break
        }
        clearTimeout(timer)
        sent.destroy()
        done(lines)
      })
    })

export const deployment = (name: string, more: Record<string, unknown> = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] } },
    ...more,
  },
})

export const configMap = (name: string, data: Record<string, string> = {}, metadata: Record<string, unknown> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
})
