import type MapperRepresentation from '@keycloak/keycloak-admin-client/lib/defs/identityProviderMapperRepresentation.js'
import type ProviderRepresentation from '@keycloak/keycloak-admin-client/lib/defs/identityProviderRepresentation.js'
import type {
  IdentityProvider,
  MappingInput,
  ProviderAnswer,
  ProviderInput,
  ProviderMapping,
} from '@quayside/contract/identity-providers/endpoints'
import type { ProviderKind } from '@quayside/contract/identity-providers/rules'
import type { z } from 'zod'

type Config = Readonly<Record<string, unknown>>

const groupMapper = 'oidc-advanced-group-idp-mapper'
const attributeMapper = 'oidc-user-attribute-idp-mapper'

const textOf = (value: unknown) => (value === undefined || value === null ? '' : String(value))
const orNull = (value: unknown) => textOf(value) || null

const kinds: Readonly<Record<string, ProviderKind>> = { oidc: 'oidc', 'keycloak-oidc': 'oidc', saml: 'saml' }
export const kindOf = ({ providerId = '' }: ProviderRepresentation): ProviderKind => kinds[providerId] ?? 'other'

const usualScopes = ['openid', 'profile', 'email']

/** Scopes that are asked for besides those that every sign-in needs. */
const furtherScopes = (asked: unknown) =>
  textOf(asked)
    .split(' ')
    .filter((one) => one !== '' && !usualScopes.includes(one))

export const scopeText = (further: readonly string[]) => [...new Set([...usualScopes, ...further])].join(' ')

const orderOf = (config: Config) => (/^\d+$/.test(textOf(config.guiOrder)) ? Number(config.guiOrder) : null)

export function toProvider(provider: ProviderRepresentation, redirectBase: string): IdentityProvider {
  const { alias = '', displayName, enabled = true, trustEmail = false, linkOnly = false, config = {} } = provider
  return {
    id: alias,
    name: displayName || alias,
    kind: kindOf(provider),
    ...{ enabled, trustEmail, linkOnly },
    issuer: orNull(config.issuer),
    clientId: orNull(config.clientId),
    hasSecret: textOf(config.clientSecret) !== '',
    scopes: furtherScopes(config.defaultScope),
    order: orderOf(config),
    redirectAddress: `${redirectBase}${alias}/endpoint`,
    logoutAddress: orNull(config.logoutUrl),
  }
}

const last = Number.MAX_SAFE_INTEGER

/** The order of the sign-in page. */
export const byPlace = (one: IdentityProvider, other: IdentityProvider) =>
  (one.order ?? last) - (other.order ?? last) || one.id.localeCompare(other.id)

/** Addresses of a description, by the names under which the identity server keeps them. */
export const addressNames = {
  issuer: 'issuer',
  authorizationUrl: 'authorizationAddress',
  tokenUrl: 'tokenAddress',
  jwksUrl: 'keysAddress',
  userInfoUrl: 'userInfoAddress',
  logoutUrl: 'logoutAddress',
} as const satisfies Record<string, keyof ProviderAnswer>

/** A description in our words; undefined for one that lacks what signing in needs. */
export function toAnswer(config: Config): ProviderAnswer | undefined {
  const { issuer, authorizationUrl, tokenUrl, jwksUrl, userInfoUrl, logoutUrl } = config
  if (![issuer, authorizationUrl, tokenUrl, jwksUrl].every((one) => typeof one === 'string' && one !== ''))
    return undefined
  return {
    ...{ issuer: textOf(issuer), authorizationAddress: textOf(authorizationUrl), tokenAddress: textOf(tokenUrl) },
    ...{ keysAddress: textOf(jwksUrl), userInfoAddress: orNull(userInfoUrl), logoutAddress: orNull(logoutUrl) },
  }
}

export const addressesOf = (answer: ProviderAnswer): Record<string, string> =>
  Object.fromEntries(
    Object.entries(addressNames).flatMap(([kept, name]) => {
      const address = answer[name]
      return address === null ? [] : [[kept, address]]
    }),
  )

/** Signatures, nonce and PKCE are asked for, and what a claim says is kept at each sign-in by its mapping alone. */
export const toStored = (input: z.output<typeof ProviderInput>, answer: ProviderAnswer): ProviderRepresentation => ({
  ...{ alias: input.id, displayName: input.name, providerId: 'oidc', enabled: input.enabled },
  ...{ trustEmail: input.trustEmail, linkOnly: input.linkOnly, storeToken: false, addReadTokenRoleOnCreate: false },
  firstBrokerLoginFlowAlias: 'first broker login',
  config: {
    ...addressesOf(answer),
    ...{ clientId: input.clientId, clientSecret: input.clientSecret, clientAuthMethod: 'client_secret_post' },
    ...{
      validateSignature: 'true',
      useJwksUrl: 'true',
      pkceEnabled: 'true',
      pkceMethod: 'S256',
      disableNonce: 'false',
    },
    ...{ syncMode: 'IMPORT', defaultScope: scopeText(input.scopes) },
  },
})

interface Wanted {
  claim: string
  value: string
}

/** The claim of a group mapping; undefined for one of several claims, which is made at Keycloak alone. */
function claimOf(config: Config): Wanted | undefined {
  try {
    const read: unknown = JSON.parse(textOf(config.claims))
    if (!Array.isArray(read) || read.length !== 1 || config['are.claim.values.regex'] === 'true') return undefined
    return { claim: textOf(read[0]?.key), value: textOf(read[0]?.value) }
  } catch {
    return undefined
  }
}

/** Path of the group that a mapping leads to; undefined for a mapping of another kind. */
export const groupPathOf = ({ identityProviderMapper, config = {} }: MapperRepresentation): string | undefined =>
  identityProviderMapper === groupMapper ? textOf(config.group) : undefined

export function toMapping(mapper: MapperRepresentation, group: ProviderMapping['group']): ProviderMapping {
  const { id = '', name = '', identityProviderMapper: kind, config = {} } = mapper
  const none = { id, name, claim: '', value: '', group: null, attribute: null }
  const wanted = kind === groupMapper ? claimOf(config as Config) : undefined
  if (wanted) return { ...none, ...wanted, kind: 'group', group }
  const { claim, 'user.attribute': attribute } = config as Config
  if (kind === attributeMapper)
    return { ...none, kind: 'attribute', claim: textOf(claim), attribute: textOf(attribute) }
  return { ...none, kind: 'other' }
}

/** A mapping as the identity server keeps it: obeyed at each sign-in. */
export function toMapper(alias: string, input: MappingInput, groupPath: string): MapperRepresentation {
  const { claim } = input
  if (input.kind === 'attribute')
    return {
      ...{ identityProviderAlias: alias, identityProviderMapper: attributeMapper },
      name: `${claim} to ${input.attribute}`.slice(0, 255),
      config: { syncMode: 'FORCE', claim, 'user.attribute': input.attribute },
    }
  return {
    ...{ identityProviderAlias: alias, identityProviderMapper: groupMapper },
    name: `${claim} ${input.value} to ${groupPath}`.slice(0, 255),
    config: {
      ...{ syncMode: 'FORCE', group: groupPath, 'are.claim.values.regex': 'false' },
      claims: JSON.stringify([{ key: claim, value: input.value }]),
    },
  }
}
