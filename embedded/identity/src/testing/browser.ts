import { createHash, randomBytes } from 'node:crypto'

/** A browser without a screen: keeps cookies by path and follows nothing on its own. */
export class Browser {
  readonly #cookies: { name: string; value: string; path: string }[] = []
  readonly #headers: Record<string, string>

  /** Headers that go with every request. */
  constructor(headers: Record<string, string> = {}) {
    this.#headers = headers
  }

  async open(url: string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url)
    const cookie = this.#cookies
      .filter(({ path }) => pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const headers = new Headers({ ...this.#headers, ...(init.headers as Record<string, string>) })
    if (cookie) headers.set('cookie', cookie)
    headers.set('accept', headers.get('accept') ?? 'text/html')
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) this.#keep(line, pathname)
    return response
  }

  /** Follows redirects as long as they stay below the given address; gives the last answer and where it came from. */
  async follow(url: string, within: string, init: RequestInit = {}): Promise<{ response: Response; url: string }> {
    let at = url
    let response = await this.open(at, init)
    for (let hops = 0; hops < 10; hops += 1) {
      const location = response.headers.get('location')
      if (location === null) return { response, url: at }
      at = new URL(location, at).href
      if (!at.startsWith(within)) return { response, url: at }
      response = await this.open(at)
    }
    throw new Error(`too many redirects at ${at}`)
  }

  /** Sends the form of a page back with its hidden fields and what was typed. */
  async submit(page: { url: string; text: string }, within: string, typed: Record<string, string>) {
    // A page may have more forms; the first is the one that is meant, unless its step is typed.
    const [first = ''] = page.text.split('</form>')
    const hidden = [...first.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]))
    const body = new URLSearchParams({ ...fields, ...typed })
    const [, action = ''] = /<form [^>]*action="([^"]*)"/.exec(page.text) ?? []
    return this.follow(new URL(action.replaceAll('&amp;', '&'), page.url).href, within, {
      method: 'POST',
      body,
      headers: { origin: new URL(page.url).origin },
    })
  }

  cookieLines(): string[] {
    return this.#cookies.map(({ name, value, path }) => `${name}=${value}; ${path}`)
  }

  cookie(name: string): string | undefined {
    return this.#cookies.find((cookie) => cookie.name === name)?.value
  }

  #keep(line: string, pathname: string): void {
    const [pair = '', ...attributes] = line.split(/;\s*/)
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    const find = (key: string) =>
      attributes.find((part) => part.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1)
    const path = find('path') ?? pathname
    const known = this.#cookies.findIndex((cookie) => cookie.name === name && cookie.path === path)
    if (known >= 0) this.#cookies.splice(known, 1)
    const expires = find('expires')
    if (expires === undefined || Date.parse(expires) > Date.now()) this.#cookies.push({ name, value, path })
  }
}

export interface AuthRequest {
  url: string
  verifier: string
  state: string
  nonce: string
}

/** An authorization request as a single-page application makes it. */
export function authRequest(issuer: string, params: Record<string, string>): AuthRequest {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(8).toString('hex')
  const nonce = randomBytes(8).toString('hex')
  const query = new URLSearchParams({
    response_type: 'code',
    scope: 'openid profile email',
    state,
    // Only an identity token carries it, and only `openid` brings one.
    ...(params.scope?.includes('openid') === false ? {} : { nonce }),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...params,
  })
  return { url: `${issuer}/protocol/openid-connect/auth?${query}`, verifier, state, nonce }
}

/** Asks the token endpoint. */
export async function askToken(issuer: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`${issuer}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { accept: 'application/json', ...headers },
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}
