import { describe, expect, it } from 'vitest'
import { isExpired, parseAccessToken } from './access-token.ts'

function token(claims: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({ alg: 'RS256' })}.${encode(claims)}.signature`
}

describe('access token', () => {
  it('reads the claims the portal needs', () => {
    const { accessToken } = parseAccessToken(
      token({
        user_id: 'u1',
        exp: 1_900_000_000,
        preferred_username: 'zoë',
        realm_access: { roles: ['admin'] },
        resource_access: { 'quayside-portal-ui-apps': { roles: ['access', 'apps.create'] } },
      }),
    )
    expect(accessToken.userId).toBe('u1')
    expect(accessToken.username).toBe('zoë')
    expect(accessToken.realmAccess).toEqual([{ name: 'admin' }])
    expect(accessToken.resourceAccess['quayside-portal-ui-apps']).toEqual([{ name: 'access' }, { name: 'apps.create' }])
  })

  it.each(['', 'a.b', 'a.b.c.d'])('refuses %j', (raw) => {
    expect(() => parseAccessToken(raw)).toThrow('JWT must have 3 parts')
  })

  it('is expired at exp, not a moment earlier', () => {
    const { accessToken } = parseAccessToken(token({ exp: 1000 }))
    expect(isExpired(accessToken, 999_999)).toBe(false)
    expect(isExpired(accessToken, 1_000_000)).toBe(true)
  })
})
