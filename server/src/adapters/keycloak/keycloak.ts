import KeycloakAdminClient, { NetworkError } from '@keycloak/keycloak-admin-client'
import { decodeJwt } from 'jose'
import { whoseChange } from '../../platform/auth/acting-for.ts'
import type { Config } from '../../platform/config/config.ts'
import { Failure, fail } from '../../platform/http/errors.ts'
import { guardClient, NoSuchPath } from './guarded-client.ts'
import { createTokenSource, TokenRefused } from './token-source.ts'

/** A refusal by the identity server, with its own words. */
export class KeycloakRefused extends Error {
  override name = 'KeycloakRefused'
  readonly status: number

  constructor(status: number, message: string, cause: unknown) {
    super(message, { cause })
    this.status = status
  }
}

/** The identity server answers nobody now, or failed by itself: another time it may do the same thing well. */
export function isPassing(error: unknown): error is Failure | KeycloakRefused {
  // With 501 it says that it does not do such a thing at all.
  if (error instanceof KeycloakRefused) return error.status === 429 || (error.status >= 500 && error.status !== 501)
  return error instanceof Failure && error.code === 'iam.unreachable' && !(error.cause instanceof TokenRefused)
}

/** Calls of the identity server's Admin API. */
export interface Keycloak {
  /**
   * Runs calls of the published admin client with our token. A server that cannot be reached is `iam.unreachable`,
   * a refusal is KeycloakRefused, also of a name that could only address something else. Every call names its realm.
   */
  run<T>(work: (client: KeycloakAdminClient) => Promise<T>): Promise<T>
  /** A realm was made: our token does not name the rights on it yet. */
  renewToken(): void
  about(): Promise<About>
  /** Roles that our own token names. */
  rights(): Promise<{ realmRoles: readonly string[]; clientRoles: Readonly<Record<string, readonly string[]>> }>
}

export interface About {
  /** The release; empty where our rights do not reach that far. */
  version: string
  /** Tells the identity server of ours, whose clients of `master` may do everything, from a Keycloak. */
  isEmbedded: boolean
}

interface Roles {
  realm_access?: { roles?: string[] }
  resource_access?: Record<string, { roles?: string[] }>
}

const timeoutMs = 10_000

export function createKeycloak(settings: Config['keycloak']): Keycloak {
  const tokens = createTokenSource(settings)
  const requestOptions = {
    // Read anew for each request.
    get headers(): Record<string, string> {
      const person = whoseChange()
      return person === undefined ? {} : { 'x-acting-for': person }
    },
  }
  const connection = { baseUrl: settings.url, realmName: 'master', timeout: timeoutMs, requestOptions }
  const client = new KeycloakAdminClient(connection)
  client.registerTokenProvider({ getAccessToken: () => tokens.token() })
  const guarded = guardClient(client)

  async function run<T>(work: (client: KeycloakAdminClient) => Promise<T>): Promise<T> {
    try {
      return await work(guarded)
    } catch (error) {
      // A token that was fine a moment ago is refused after the identity server was replaced or its keys changed.
      if (!(error instanceof NetworkError) || error.response.status !== 401) throw toFailure(error)
    }
    tokens.drop()
    try {
      return await work(guarded)
    } catch (error) {
      throw toFailure(error)
    }
  }

  return {
    run,
    renewToken: () => tokens.drop(),
    async about() {
      const info = await run((kc) => kc.serverInfo.find())
      return { version: info.systemInfo?.version ?? '', isEmbedded: info.profileInfo?.name === 'embedded' }
    },
    async rights() {
      const { realm_access, resource_access } = decodeJwt<Roles>(await tokens.token())
      const clients = Object.entries(resource_access ?? {}).map(([client, { roles = [] }]) => [client, roles] as const)
      return { realmRoles: realm_access?.roles ?? [], clientRoles: Object.fromEntries(clients) }
    },
  }
}

function wordsOf(error: NetworkError): string {
  const said = error.responseData
  if (typeof said !== 'object' || said === null) return error.message
  const { errorMessage, error_description } = said as { errorMessage?: unknown; error_description?: unknown }
  return String(errorMessage ?? error_description ?? error.message)
}

function toFailure(error: unknown): unknown {
  if (error instanceof Failure || error instanceof KeycloakRefused) return error
  if (error instanceof NetworkError) {
    const { status } = error.response
    if (status >= 502 && status <= 504) return fail('iam.unreachable', { cause: error })
    return new KeycloakRefused(status, wordsOf(error), error)
  }
  if (error instanceof NoSuchPath) return new KeycloakRefused(404, error.message, error)
  const unreachable = error instanceof TypeError || (error instanceof Error && /Timeout|Abort/.test(error.name))
  if (unreachable) return fail('iam.unreachable', { cause: error })
  if (error instanceof TokenRefused) return fail('iam.unreachable', { message: error.message, cause: error })
  return error
}
