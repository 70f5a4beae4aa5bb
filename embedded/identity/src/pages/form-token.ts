import { createHmac, timingSafeEqual } from 'node:crypto'

interface Secret {
  cookie_secret: string
}

/** Ties a form to what it is for, so that no other site can send it in somebody's name. */
export function formToken(realm: Secret, purpose: string): string {
  return createHmac('sha256', realm.cookie_secret).update(`form:${purpose}`).digest('base64url')
}

export function formTokenFits(realm: Secret, purpose: string, token: string | null): boolean {
  const expected = Buffer.from(formToken(realm, purpose))
  const given = Buffer.from(token ?? '')
  return expected.length === given.length && timingSafeEqual(expected, given)
}
