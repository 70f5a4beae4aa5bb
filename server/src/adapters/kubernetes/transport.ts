import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https'
import { createSecureContext } from 'node:tls'
import { z } from 'zod'
import { Failure, fail } from '../../platform/http/errors.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { publicLookup, refusePrivateLiteral } from './address-guard.ts'
import { createBreaker } from './circuit-breaker.ts'
import type { ClusterAccess } from './kubeconfig.ts'

interface Ask {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
  contentType?: string
  accept?: string
  timeoutMs?: number
  /** Called with each warning that the cluster sends beside its answer. */
  onWarning?: (text: string) => void
}

interface Cause {
  reason: string
  message: string
  field: string
}
const mostCauses = 200
const Causes = z.object({
  details: z.object({
    causes: z.array(
      z.object({ reason: z.string().default(''), message: z.string().default(''), field: z.string().default('') }),
    ),
  }),
})

/** The cluster answered, but not with what was asked for. */
export class KubeRefusal extends Failure {
  override name = 'KubeRefusal'
  readonly httpStatus: number
  readonly reason: string
  /** The causes that the cluster gives in the details of its refusal; empty when it gives none. */
  readonly causes: readonly Cause[]

  constructor(httpStatus: number, reason: string, message: string, causes: readonly Cause[] = []) {
    super('cluster.refused', { message, details: { status: httpStatus, reason } })
    this.httpStatus = httpStatus
    this.reason = reason
    this.causes = causes
  }
}

/** HTTP to one API server: only to the addresses that are allowed, in bounded time, size and number, no redirects. */
export interface Transport {
  json(ask: Ask): Promise<unknown>
  /** The body as it comes, without a limit in time or size; resolves when the headers are there. */
  open(ask: Ask, signal: AbortSignal): Promise<IncomingMessage>
  /** The time by the server's clock; by the portal's until the server has answered. */
  now(): number
  close(): void
}

const readMs = 3000
const openMs = 10_000
const maxBytes = 20 * 1024 * 1024
const atOnce = 8
const streamsAtOnce = 200

export function createTransport(
  access: ClusterAccess,
  options: { allowPrivateAddresses: boolean; log: Logger },
): Transport {
  const base = new URL(access.server)
  const { calls, streams } = agentsFor(access, options.allowPrivateAddresses)
  const breaker = createBreaker({ failures: 3, restMs: 3000 })
  let aheadMs = 0
  let lastReason = ''

  /**
   * Why a cluster cannot be reached is for the operator's log alone: to a tenant a port that is closed, one that is
   * silent, a stranger's certificate and an address inside are the same.
   */
  function unreachable(error: unknown): Failure {
    if (error instanceof Failure) return error
    const reason = error instanceof Error ? error.message : String(error)
    if (reason !== lastReason) options.log.warn({ server: access.server, reason }, 'a cluster cannot be reached')
    lastReason = reason
    return fail('cluster.unreachable', { cause: error })
  }

  function send(ask: Ask, agent: Agent, timeoutMs: number, signal?: AbortSignal): Promise<IncomingMessage> {
    if (breaker.isOpen()) return Promise.reject(fail('cluster.unreachable'))
    try {
      if (!options.allowPrivateAddresses) refusePrivateLiteral(base.hostname)
    } catch (error) {
      return Promise.reject(unreachable(error))
    }
    return new Promise((resolve, reject) => {
      const lost = (error: unknown) => {
        clearTimeout(timer)
        if (!signal?.aborted) breaker.failed()
        reject(signal?.aborted ? signal.reason : unreachable(error))
      }
      const body = ask.body === undefined ? undefined : JSON.stringify(ask.body)
      const call = httpsRequest(requestOf(base, access.token, ask, body, { agent, signal }), (response) => {
        clearTimeout(timer)
        breaker.succeeded()
        lastReason = ''
        const told = Date.parse(response.headers.date ?? '')
        if (Number.isFinite(told)) aheadMs = told - Date.now()
        resolve(response)
      })
      const timer = setTimeout(() => call.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
      onLost(call, lost)
      call.end(body)
    })
  }

  return {
    async json(ask) {
      const until = performance.now() + (ask.timeoutMs ?? readMs)
      const response = await send(ask, calls, ask.timeoutMs ?? readMs)
      const text = await readBody(response, until - performance.now()).catch((error: unknown) => {
        if (!(error instanceof Failure)) breaker.failed()
        throw unreachable(error)
      })
      for (const warning of ask.onWarning ? warningsOf(response) : []) ask.onWarning?.(warning)
      return accepted(response, text)
    },
    async open(ask, signal) {
      const response = await send(ask, streams, openMs, signal)
      if (response.statusCode === 200) {
        response.socket.setKeepAlive(true, 15_000)
        return response
      }
      const text = await readBody(response, readMs).catch((error: unknown) => {
        throw unreachable(error)
      })
      accepted(response, text)
      throw new KubeRefusal(response.statusCode ?? 0, '', 'The cluster answered in an unexpected way.')
    },
    now: () => Date.now() + aheadMs,
    close() {
      calls.destroy()
      streams.destroy()
    },
  }
}

/** Tells of a call without an answer. One with another protocol is no error to Node, and would never come to its end. */
function onLost(call: ClientRequest, lost: (error: unknown) => void): void {
  call.on('error', lost)
  call.on('upgrade', (_answer, socket) => {
    socket.destroy()
    lost(new Error('it answers with another protocol'))
  })
}

/** Texts of `Warning: 299 - "text"` headers. */
function warningsOf({ headers }: IncomingMessage): string[] {
  const found = String(headers.warning ?? '').matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)
  return Array.from(found, ([, text = '']) => text.replace(/\\(.)/g, '$1').slice(0, 2000)).slice(0, 20)
}

function queryOf(query: Ask['query']): string {
  const pairs = Object.entries(query ?? {}).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [`${key}=${encodeURIComponent(String(value))}`],
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function readBody(response: IncomingMessage, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => response.destroy(new Error('the answer did not come to its end')),
      Math.max(1, timeoutMs),
    )
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes)
        response.destroy(fail('cluster.refused', { message: 'The answer of the cluster is too large.' }))
    })
    response.on('end', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks).toString('utf8'))
    })
    response.on('close', () => {
      clearTimeout(timer)
      reject(new Error('the connection was closed'))
    })
    response.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
  })
}

function accepted(response: IncomingMessage, text: string): unknown {
  const status = response.statusCode ?? 0
  const body = parseJson(text)
  if (status >= 200 && status < 300) {
    if (body === undefined)
      throw new KubeRefusal(status, 'NotJson', 'The cluster answered with something that is not JSON.')
    return body
  }
  const said = (body ?? {}) as { message?: unknown; reason?: unknown }
  const message =
    typeof said.message === 'string' ? said.message.slice(0, 1000) : `The cluster answered with status ${status}.`
  const causes = Causes.safeParse(body).data?.details.causes.slice(0, mostCauses)
  throw new KubeRefusal(status, typeof said.reason === 'string' ? said.reason.slice(0, 100) : '', message, causes)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Agents for calls and for streams, with the certificates of the kubeconfig. */
function agentsFor(access: ClusterAccess, allowPrivateAddresses: boolean) {
  // Made once: reading certificates and keys anew costs each connection milliseconds.
  const secureContext = createSecureContext({
    ca: access.certificateAuthority,
    cert: access.clientCertificate,
    key: access.clientKey,
    minVersion: 'TLSv1.2',
  })
  const secure = {
    secureContext,
    ...(access.tlsServerName ? { servername: access.tlsServerName } : {}),
    ...(allowPrivateAddresses ? {} : { lookup: publicLookup }),
  }
  const calls = new Agent({ ...secure, keepAlive: true, maxSockets: atOnce, scheduling: 'lifo' })
  const streams = new Agent({ ...secure, keepAlive: false, maxSockets: streamsAtOnce })
  return { calls, streams }
}

function requestOf(
  url: URL,
  token: string | undefined,
  { method, path, query, contentType, accept }: Ask,
  body: string | undefined,
  { agent, signal }: Pick<RequestOptions, 'agent' | 'signal'>,
) {
  return {
    agent,
    signal,
    method: method ?? 'GET',
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || 443,
    path: url.pathname.replace(/\/$/, '') + path + queryOf(query),
    headers: {
      accept: accept ?? 'application/json',
      'user-agent': 'quayside',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined
        ? {}
        : { 'content-type': contentType ?? 'application/json', 'content-length': Buffer.byteLength(body) }),
    },
  } satisfies RequestOptions
}
