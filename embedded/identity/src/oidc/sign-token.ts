import { randomBytes } from 'node:crypto'
import { importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'

interface Signing {
  jwk: JWK | undefined
  issuer: string
  subject?: string
  /** How many seconds it lives. */
  seconds: number
  /** Kind of the token, in its header. */
  typ?: string
}

/** A token of the realm that the protocol engine has no words for. */
export async function signToken(claims: JWTPayload, { jwk, issuer, subject, seconds, typ = 'JWT' }: Signing) {
  if (!jwk) throw new Error(`${issuer} has no signing key`)
  const now = Math.floor(Date.now() / 1000)
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: jwk.kid, typ })
    .setIssuer(issuer)
    .setJti(randomBytes(16).toString('base64url'))
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
  if (subject !== undefined) token.setSubject(subject)
  return token.sign(await importJWK(jwk, 'RS256'))
}
