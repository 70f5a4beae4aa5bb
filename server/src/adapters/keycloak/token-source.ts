import { decodeJwt } from 'jose'

interface Settings {
  url: string
  clientId: string
  clientSecret: string
  /** The realm of the client. */
  realm?: string
}

/** Our own access token, asked for once and again shortly before it ends. */
export interface TokenSource {
  token(): Promise<string>
  /** The next call asks anew: the token was refused, or a new realm has brought roles that it does not name. */
  drop(): void
}

const marginMs = 20_000

/** A refusal to give us a token at all: wrong client or secret. */
export class TokenRefused extends Error {
  override name = 'TokenRefused'
  readonly status: number
  /** The words of the identity server. */
  readonly said: string

  constructor(clientId: string, status: number, body: string) {
    const said = saidIn(body)
    super(`the identity server refused our client ${clientId}: ${said}`)
    this.status = status
    this.said = said
  }
}

function saidIn(body: string): string {
  try {
    const { error_description, error } = JSON.parse(body) as { error_description?: unknown; error?: unknown }
    return String(error_description ?? error ?? body).slice(0, 200)
  } catch {
    return body.slice(0, 200)
  }
}

export function createTokenSource(settings: Settings, now = Date.now): TokenSource {
  let current: { token: string; until: number } | undefined
  let asking: Promise<string> | undefined

  async function ask(): Promise<string> {
    const answer = await fetch(
      `${settings.url}/realms/${encodeURIComponent(settings.realm ?? 'master')}/protocol/openid-connect/token`,
      {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: settings.clientId,
          client_secret: settings.clientSecret,
        }),
        signal: AbortSignal.timeout(10_000),
      },
    )
    const text = await answer.text()
    if (answer.status === 429 || answer.status >= 500) throw new TypeError(`fetch of a token answered ${answer.status}`)
    if (!answer.ok) throw new TokenRefused(settings.clientId, answer.status, text)
    const { access_token } = JSON.parse(text) as { access_token: string }
    current = { token: access_token, until: (decodeJwt(access_token).exp ?? 0) * 1000 - marginMs }
    return access_token
  }

  return {
    token() {
      if (current && current.until > now()) return Promise.resolve(current.token)
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    drop() {
      current = undefined
    },
  }
}
