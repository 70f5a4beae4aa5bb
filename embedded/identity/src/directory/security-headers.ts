import { badRequest } from '../http/problem.ts'

/** Values of the headers of sign-in pages, by Keycloak's names for them. */
export type SecurityHeaders = Readonly<Record<string, string>>

const names: Readonly<Record<string, string>> = {
  contentSecurityPolicy: 'content-security-policy',
  contentSecurityPolicyReportOnly: 'content-security-policy-report-only',
  referrerPolicy: 'referrer-policy',
  strictTransportSecurity: 'strict-transport-security',
  xContentTypeOptions: 'x-content-type-options',
  xFrameOptions: 'x-frame-options',
  xRobotsTag: 'x-robots-tag',
}

const isHeaderText = (value: unknown): value is string => typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)

/** Refuses, by its name, a header that is not sent or that would keep people from signing in; one that stays is left. */
export function checkHeaders(sent: unknown, kept: SecurityHeaders): void {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw badRequest('browserSecurityHeaders must map names to texts')
  for (const [name, value] of Object.entries(sent)) {
    if (value === kept[name]) continue
    if (!isHeaderText(value)) throw badRequest(`${name} must be a text of one line in ASCII`)
    if (!(name in names)) throw badRequest(`${name} is no header that this identity server sends`)
    // A list of policies ends in the one that counts.
    if (name === 'referrerPolicy' && /\bno-referrer\s*$/i.test(value))
      throw badRequest(
        `${name} must not be no-referrer: browsers then hide where a sign-in form was sent from, which is checked`,
      )
  }
}

/** The headers as they are sent; an empty value sends none. */
export function headersOf(settings: SecurityHeaders): Record<string, string> {
  const sent = Object.entries(settings).filter(([name, value]) => name in names && value !== '' && isHeaderText(value))
  return Object.fromEntries(sent.map(([name, value]) => [names[name] ?? name, value]))
}
