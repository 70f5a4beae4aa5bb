import { encodeQuery } from '@quayside/contract/query-string'
import { ApiError } from './api-error.ts'
import { readResponse } from './read-response.ts'
import { createSharedGets, untilAborted } from './shared-gets.ts'

/** What the client needs from the signed-in session. */
export interface TokenSource {
  /** The token for the section being looked at; undefined when nobody is signed in. */
  current(): string | undefined
  /** Tries for a new token once after a 401; false when the person has to sign in again. */
  refresh(): Promise<boolean>
  /** Exchanges a user-managed-access ticket for a requesting-party token. */
  exchangeTicket(ticket: string): Promise<string>
  /** Called when a call cannot be made or answered for lack of a valid token. */
  lost(reason: 'missing' | 'rejected' | 'invalid_grant'): void
}

export interface CallOptions {
  query?: Record<string, unknown>
  signal?: AbortSignal
  headers?: Record<string, string>
}

/** All calls of the portal; paths start with the service ('/catalog/v2/items'). */
export interface Api {
  get<T>(path: string, options?: CallOptions): Promise<T>
  post<T>(path: string, body?: unknown, options?: CallOptions): Promise<T>
  put<T>(path: string, body?: unknown, options?: CallOptions): Promise<T>
  patch<T>(path: string, body?: unknown, options?: CallOptions): Promise<T>
  delete<T>(path: string, body?: unknown, options?: CallOptions): Promise<T>
  /** Something changed on the server: no read from before is shared any more. */
  forget(): void
  tokens: TokenSource
}

export function createApi(tokens: TokenSource): Api {
  const { share, forget } = createSharedGets()

  function send<T>(method: string, path: string, body: unknown, options: CallOptions = {}): Promise<T> {
    const token = tokens.current()
    if (token === undefined) {
      tokens.lost('missing')
      return Promise.reject(new ApiError(401, 'Nobody is signed in.'))
    }
    return attempt<T>(tokens, { method, url: withQuery(path, options.query), body, options, token })
  }

  const change = <T>(method: string, path: string, body: unknown, options?: CallOptions) =>
    send<T>(method, path, body, options).finally(forget)

  return {
    tokens,
    forget,
    get(path, options = {}) {
      const { signal, ...rest } = options
      const key = `${tokens.current() ?? ''} ${withQuery(path, options.query)}`
      return untilAborted(
        share(key, () => send('GET', path, undefined, rest)),
        signal,
      )
    },
    post: (path, body, options) => change('POST', path, body, options),
    put: (path, body, options) => change('PUT', path, body, options),
    patch: (path, body, options) => change('PATCH', path, body, options),
    delete: (path, body, options) => change('DELETE', path, body, options),
  }
}

/** A path with its query in the dialect of 7.1. */
export function withQuery(path: string, query: Record<string, unknown> | undefined): string {
  const encoded = query === undefined ? '' : encodeQuery(query)
  return encoded === '' ? path : `${path}?${encoded}`
}

interface Call {
  method: string
  url: string
  body: unknown
  options: CallOptions
  token: string
}

async function attempt<T>(tokens: TokenSource, call: Call): Promise<T> {
  const response = await request(call, {})
  const ticket = response.status === 401 ? response.headers.get('ticket') : null
  if (ticket !== null) return withTicket<T>(tokens, call, { ticket, refusal: response })
  if (response.status === 401 && (await tokens.refresh())) {
    // A token that is new and still refused is not an expired session: signing in again would change nothing.
    return readResponse<T>(await request({ ...call, token: tokens.current() ?? call.token }, {}))
  }
  if (response.status === 401) tokens.lost('rejected')
  try {
    return await readResponse<T>(response)
  } catch (error) {
    if (isInvalidGrant(error)) tokens.lost('invalid_grant')
    throw error
  }
}

/** Makes a refused call once more with the permission that its ticket brings; without one the refusal stands. */
async function withTicket<T>(
  tokens: TokenSource,
  call: Call,
  { ticket, refusal }: { ticket: string; refusal: Response },
): Promise<T> {
  const partyToken = await tokens.exchangeTicket(ticket).catch(() => undefined)
  const again = partyToken === undefined ? refusal : await request(call, { 'x-qc-rpt': `Bearer ${partyToken}` })
  const isRefused = again === refusal || [401, 403, 404].includes(again.status)
  return readResponse<T>(isRefused ? await asRefused(refusal) : again)
}

/** The refusal behind a ticket: its body says which status it has. */
async function asRefused(response: Response): Promise<Response> {
  const text = await response.text()
  const { status } = (text.startsWith('{') ? JSON.parse(text) : {}) as { status?: number }
  return new Response(text, { status: status ?? 403, headers: response.headers })
}

async function request(call: Call, extra: Record<string, string>): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json', ...call.options.headers, ...extra }
  headers.authorization = `Bearer ${call.token}`
  const init: RequestInit = { method: call.method, headers, signal: call.options.signal ?? null }
  if (call.body !== undefined) {
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify(call.body)
  }
  try {
    return await fetch(call.url, init)
  } catch (error) {
    if (call.options.signal?.aborted === true) throw error
    throw new ApiError(0, error instanceof Error ? error.message : 'The network gave no answer.')
  }
}

/** 'invalid_grant' at top level or in innerException.response means that this sign-in is over (section 8). */
function isInvalidGrant(error: unknown): boolean {
  if (!(error instanceof ApiError) || typeof error.details !== 'object' || error.details === null) return false
  const body = error.details as { error?: unknown; innerException?: { response?: unknown } }
  const inner = body.innerException?.response
  return body.error === 'invalid_grant' || JSON.stringify(inner ?? '').includes('invalid_grant')
}
