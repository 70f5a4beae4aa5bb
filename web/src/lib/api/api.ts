import { encodeQuery } from '@quayside/contract/http/query-string'
import { ApiError } from './api-error.ts'
import { readResponse } from './read-response.ts'
import { createSharedGets, untilAborted } from './shared-gets.ts'
import { untilFree } from './until-free.ts'

/** The session's tokens, for the API client. */
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

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface CallOptions {
  query?: Record<string, unknown> | undefined
  /** Sent as JSON; of a call that changes something. */
  body?: unknown
  signal?: AbortSignal | undefined
  headers?: Record<string, string> | undefined
}

export interface UploadOptions {
  file: File
  signal?: AbortSignal | undefined
  /** Whole percent of the file that has gone up. */
  onProgress?: ((percent: number) => void) | undefined
}

/** How calls are sent, for whoever is signed in; `call` of web/src/api/client.ts knows which ones there are. */
export interface Api {
  /** Reads are shared while they run and for a moment after; what changes something ends the sharing. */
  send<T>(method: Method, path: string, options?: CallOptions): Promise<T>
  /** Posts one file. */
  upload<T>(path: string, options: UploadOptions): Promise<T>
  /** Reads an answer as it comes; a refusal is thrown. */
  stream(path: string, options?: CallOptions, method?: Method): Promise<Response>
  /** Something changed on the server: no read from before is shared any more. */
  forget(): void
}

export function createApi(tokens: TokenSource): Api {
  const { share, forget } = createSharedGets()

  function signedIn<T>(send: Send, read: Read<T> = readResponse<T>): Promise<T> {
    const token = tokens.current()
    if (token !== undefined) return attempt(tokens, { send, read, token })
    tokens.lost('missing')
    return Promise.reject(new ApiError(401, 'Nobody is signed in.'))
  }

  function send<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
    if (method !== 'GET') return signedIn<T>(fetching(method, path, options)).finally(forget)
    const { signal, ...rest } = options
    const key = `${tokens.current() ?? ''} ${withQuery(path, options.query)}`
    return untilAborted(
      share(key, () => signedIn<T>(fetching('GET', path, rest))),
      signal,
    )
  }

  return {
    forget,
    send,
    upload: <T>(path: string, form: UploadOptions) =>
      signedIn<T>(async (headers) => {
        const { sendForm } = await import('./send-form.ts')
        return sendForm({ url: path, headers, ...form })
      }).finally(forget),
    stream: (path, options = {}, method = 'GET') =>
      signedIn(fetching(method, path, options), async (response) =>
        response.ok ? response : readResponse<Response>(response),
      ),
  }
}

/** A path with its query in the dialect of 7.1. */
function withQuery(path: string, query: Record<string, unknown> | undefined): string {
  const encoded = query === undefined ? '' : encodeQuery(query)
  return encoded === '' ? path : `${path}?${encoded}`
}

/** Sends a call once, with these headers besides its own. */
type Send = (headers: Record<string, string>) => Promise<Response>
/** Turns an answer into a value, or throws it as an ApiError. */
type Read<T> = (response: Response) => Promise<T>

interface Attempt<T> {
  send: Send
  read: Read<T>
  token: string
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function attempt<T>(tokens: TokenSource, call: Attempt<T>): Promise<T> {
  const { send, read, token } = call
  const response = await send(bearer(token))
  const ticket = response.status === 401 ? response.headers.get('ticket') : null
  if (ticket !== null) return withTicket(tokens, call, { ticket, refusal: response })
  if (response.status === 401 && (await tokens.refresh())) {
    // A token that is new and still refused is not an expired session: signing in again would change nothing.
    return read(await send(bearer(tokens.current() ?? token)))
  }
  if (response.status === 401) tokens.lost('rejected')
  try {
    return await read(response)
  } catch (error) {
    if (isInvalidGrant(error)) tokens.lost('invalid_grant')
    throw error
  }
}

/** Makes a refused call once more with the permission that its ticket brings; without one the refusal stands. */
async function withTicket<T>(
  tokens: TokenSource,
  { send, read, token }: Attempt<T>,
  { ticket, refusal }: { ticket: string; refusal: Response },
): Promise<T> {
  const partyToken = await tokens.exchangeTicket(ticket).catch(() => undefined)
  const again =
    partyToken === undefined ? refusal : await send({ ...bearer(token), 'x-qc-rpt': `Bearer ${partyToken}` })
  const isRefused = again === refusal || [401, 403, 404].includes(again.status)
  // A ticket comes with the refusal of a scope alone: without the ticket its status is 403.
  return read(isRefused ? new Response(refusal.body, { status: 403, headers: refusal.headers }) : again)
}

function fetching(method: Method, path: string, { query, body, signal, headers: own }: CallOptions): Send {
  return async (extra) => {
    const headers: Record<string, string> = { accept: 'application/json', ...own, ...extra }
    const init: RequestInit = { method, headers, signal: signal ?? null }
    if (body !== undefined) {
      headers['content-type'] = 'application/json'
      init.body = JSON.stringify(body)
    }
    try {
      const sent = () => fetch(withQuery(path, query), init)
      return await (method === 'GET' ? untilFree(sent) : sent())
    } catch (error) {
      if (signal?.aborted === true) throw error
      throw new ApiError(0, error instanceof Error ? error.message : 'The network gave no answer.')
    }
  }
}

/** 'invalid_grant' at top level or in innerException.response means that this sign-in is over. */
function isInvalidGrant(error: unknown): boolean {
  if (!(error instanceof ApiError) || typeof error.details !== 'object' || error.details === null) return false
  const body = error.details as { error?: unknown; innerException?: { response?: unknown } }
  const inner = body.innerException?.response
  return body.error === 'invalid_grant' || JSON.stringify(inner ?? '').includes('invalid_grant')
}
