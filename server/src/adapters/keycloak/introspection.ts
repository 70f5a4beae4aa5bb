import { type RoleClaims, rolesSaid } from '../../platform/auth/role-claims.ts'
import type { HeldRoles } from '../../platform/auth/standing.ts'
import { fail } from '../../platform/http/errors.ts'

interface Introspected extends RoleClaims {
  active?: boolean
}

export interface ClientKey {
  clientId: string
  secret: string
}

const timeoutMs = 3000

/**
 * Asks the identity server about a token (RFC 7662). Its answer names what the owner holds at that moment and the
 * token's client carries. `refused`: it does not know our client or its secret any more.
 */
export async function introspect(
  realmUrl: string,
  { clientId, secret }: ClientKey,
  token: string,
): Promise<HeldRoles | undefined | 'refused'> {
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString('base64')
  const answer = await fetch(`${realmUrl}/protocol/openid-connect/token/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw fail('iam.unreachable', { cause: error })
  })
  if (answer.status === 400 || answer.status === 401 || answer.status === 403) {
    await answer.body?.cancel()
    return 'refused'
  }
  const said = (await answer.json().catch(() => undefined)) as Introspected | undefined
  if (!answer.ok || said === undefined)
    throw fail('iam.unreachable', { cause: new Error(`introspection answered ${answer.status}`) })
  return said.active === true ? rolesSaid(said) : undefined
}
