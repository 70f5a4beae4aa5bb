/** Kinds of identity providers: the portal sets up those of OpenID Connect; others are set up at Keycloak itself. */
export const providerKinds = ['oidc', 'saml', 'other'] as const
export type ProviderKind = (typeof providerKinds)[number]

export const providerLimits = {
  alias: 40,
  address: 500,
  clientId: 255,
  clientSecret: 500,
  claim: 200,
  order: 9999,
} as const

export const aliasPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/

/** End of the address at which a provider describes itself (OpenID Connect Discovery). */
const discoveryPath = '/.well-known/openid-configuration'

/** Address of the description; people paste the issuer as often. */
export function discoveryAddress(typed: string): string {
  const text = typed.trim()
  return text.endsWith(discoveryPath) ? text : `${text.replace(/\/+$/, '')}${discoveryPath}`
}

/** Fault of an address at which a provider describes itself; undefined for a good one. */
export function providerAddressProblem(typed: string): string | undefined {
  const text = typed.trim()
  if (text.length > providerLimits.address) return `at most ${providerLimits.address} characters`
  if (!URL.canParse(text)) return 'an address such as https://login.example.org'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'begins with https://'
  if (url.username !== '' || url.password !== '') return 'no user name and no password'
  if (text.includes('#') || text.includes('?')) return 'no ? and no # in it'
  return undefined
}
