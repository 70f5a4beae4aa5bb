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

const directives = new Set(['form-action', 'sandbox', 'upgrade-insecure-requests'])

/** The first directive by which a form may not be sent, or is sent to another address. */
function shutting(policy: string): string | undefined {
  const named = policy.split(/[;,]/).map((part) => part.trim().split(/\s+/)[0]?.toLowerCase() ?? '')
  return named.find((name) => directives.has(name))
}

const referrerPolicies = new Set([
  ...['no-referrer', 'no-referrer-when-downgrade', 'origin', 'origin-when-cross-origin', 'same-origin'],
  ...['strict-origin', 'strict-origin-when-cross-origin', 'unsafe-url'],
])

/** The last of a list that browsers know; they skip the others. */
function policyThatCounts(value: string): string | undefined {
  const named = value.split(',').map((part) => part.trim().toLowerCase())
  return named.findLast((name) => referrerPolicies.has(name))
}

/** Refuses, by its name, a header that is not sent or that would keep people from signing in; one that stays is left. */
export function checkHeaders(sent: unknown, kept: SecurityHeaders): void {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw badRequest('browserSecurityHeaders must map names to texts')
  for (const [name, value] of Object.entries(sent)) {
    if (value === kept[name]) continue
    if (!isHeaderText(value)) throw badRequest(`${name} must be a text of one line in ASCII`)
    if (!(name in names)) throw badRequest(`${name} is no header that this identity server sends`)
    const kind = name === 'contentSecurityPolicy' ? shutting(value) : undefined
    if (kind !== undefined)
      throw badRequest(`${name} must not have ${kind}: browsers would then not send the sign-in form`)
    if (name === 'referrerPolicy' && policyThatCounts(value) === 'no-referrer')
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
