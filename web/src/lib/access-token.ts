/** The access token as the portal reads it. */
export interface AccessToken {
  userId: string
  expiryTimestamp: number
  email: string
  username: string
  firstName: string
  lastName: string
  homescreen: string
  currency: string
  realmAccess: { name: string }[]
  resourceAccess: Record<string, { name: string }[]>
}

export interface TokenModel {
  rawAccessToken: string
  accessToken: AccessToken
}

interface Claims {
  user_id?: string
  sub?: string
  exp?: number
  email?: string
  preferred_username?: string
  given_name?: string
  family_name?: string
  homescreen?: string
  currency?: string
  realm_access?: { roles?: string[] }
  resource_access?: Record<string, { roles?: string[] }>
}

/** Reads a token's claims; the server alone decides whether it is genuine. */
export function parseAccessToken(raw: string): TokenModel {
  const parts = raw.split('.')
  if (parts.length !== 3) throw new Error('JWT must have 3 parts')
  const claims = JSON.parse(decodePart(parts[1] ?? '')) as Claims
  return {
    rawAccessToken: raw,
    accessToken: {
      userId: claims.user_id ?? claims.sub ?? '',
      expiryTimestamp: claims.exp ?? 0,
      email: claims.email ?? '',
      username: claims.preferred_username ?? '',
      firstName: claims.given_name ?? '',
      lastName: claims.family_name ?? '',
      homescreen: claims.homescreen ?? '',
      currency: claims.currency ?? '',
      realmAccess: named(claims.realm_access?.roles),
      resourceAccess: Object.fromEntries(
        Object.entries(claims.resource_access ?? {}).map(([client, access]) => [client, named(access.roles)]),
      ),
    },
  }
}

/** Expired from the very second of `exp` on. */
export function isExpired(token: AccessToken, now: number): boolean {
  return now >= token.expiryTimestamp * 1000
}

function named(roles: string[] | undefined): { name: string }[] {
  return (roles ?? []).map((name) => ({ name }))
}

function decodePart(part: string): string {
  const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
}
