import type { ClientRequest } from 'node:http'
import { Agent, type RequestOptions, request } from 'node:https'
import type { KubeConfig } from '@kubernetes/client-node'
import type { Answer, Body } from './answers.ts'

export interface CallOptions {
  body?: unknown
  /** The media type of the body; JSON when left out. */
  type?: string
  accept?: string
  /** Someone else's; null: nobody's. */
  token?: string | null
  headers?: Record<string, string>
}

/** The API as a kubeconfig reaches it, without anything that would hide what it says. */
export interface HttpsClient {
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Answer>
  /** The lines of a watch until `enough` says so or the server ends it. */
  readonly watch: (path: string, enough: (lines: Body[]) => boolean) => Promise<Body[]>
  close(): void
}

const DEADLINE = 60_000
const WATCH_DEADLINE = 20_000

function payloadOf({ body, type }: CallOptions): { payload?: string | Buffer; headers: Record<string, string> } {
  if (body === undefined) return { headers: {} }
  const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const headers = {
    'content-type': type ?? 'application/json',
    'content-length': String(Buffer.byteLength(payload)),
  }
  return { payload, headers }
}

/** A client for the current context; client certificates are left out when somebody else's token is shown. */
export async function httpsClient(config: KubeConfig): Promise<HttpsClient> {
  const cluster = config.getCurrentCluster()
  if (!cluster) throw new Error('the kubeconfig has no current context')
  const own: RequestOptions = {}
  await config.applyToHTTPSOptions(own)
  const { ca, cert, key, rejectUnauthorized, servername } = own
  const trust = { ca, rejectUnauthorized, servername, keepAlive: true, maxSockets: 40 }
  const ownAgent = new Agent({ ...trust, cert, key })
  const foreignAgent = new Agent(trust)
  const ownHeaders = own.headers as Record<string, string>
  const base = cluster.server.replace(/\/$/, '')

  function open(method: string, path: string, options: CallOptions) {
    const { payload, headers } = payloadOf(options)
    const isOwn = options.token === undefined
    const identity: Record<string, string> = isOwn
      ? ownHeaders
      : options.token
        ? { authorization: `Bearer ${options.token}` }
        : {}
    const sent = request(new URL(base + path), {
      method,
      agent: isOwn ? ownAgent : foreignAgent,
      headers: {
        'user-agent': 'conformance/1',
        accept: options.accept ?? 'application/json',
        ...identity,
        ...headers,
        ...options.headers,
      },
    })
    sent.end(payload)
    return sent
  }

  return {
    call: callBy(open),
    watch: watchBy(open),
    close() {
      ownAgent.destroy()
      foreignAgent.destroy()
    },
  }
}

type Open = (method: string, path: string, options: CallOptions) => ClientRequest

const callBy =
  (open: Open): HttpsClient['call'] =>
  (method, path, options = {}) =>
    new Promise((done, failed) => {
      open(method, path, options)
        .setTimeout(DEADLINE, () => failed(new Error(`${method} ${path} was not answered`)))
        .on('error', failed)
        .on('response', async (response) => {
          const chunks: Buffer[] = []
          try {
            for await (const chunk of response) chunks.push(chunk)
          } catch (error) {
            failed(error)
            return
          }
          const text = Buffer.concat(chunks).toString()
          const isJson = /[/+]json/.test(String(response.headers['content-type']))
          const body = isJson && text ? JSON.parse(text) : text
          done({ code: response.statusCode ?? 0, headers: response.headers, body })
        })
    })

const watchBy =
  (open: Open): HttpsClient['watch'] =>
  (path, enough) =>
    new Promise((done, failed) => {
      const lines: Body[] = []
      const sent = open('GET', path, {})
      const timer = setTimeout(() => {
        sent.destroy()
        failed(new Error(`the watch showed only ${JSON.stringify(lines).slice(0, 600)}`))
      }, WATCH_DEADLINE)
      sent.on('error', failed).on('response', async (response) => {
        let rest = ''
        try {
          for await (const chunk of response) {
            const parts = (rest + chunk).split('\n')
            rest = parts.pop() ?? ''
            lines.push(...parts.filter(Boolean).map((line) => JSON.parse(line)))
            if (enough(lines)) {
              // The rest may be half a line, and the caller has enough.
              rest = ''
              break
            }
          }
          if (rest.trim()) lines.push(JSON.parse(rest))
        } catch (error) {
          failed(error)
        }
        clearTimeout(timer)
        sent.destroy()
        done(lines)
      })
    })
