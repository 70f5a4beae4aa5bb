import type { JsonObject } from '../http/exchange.ts'

export interface ProtocolMapper extends JsonObject {
  id?: string
  name: string
  protocol?: string
  protocolMapper: string
  config?: Record<string, string>
}

const inAccessTokens = { 'access.token.claim': 'true', 'introspection.token.claim': 'true' }

function mapper(name: string, protocolMapper: string, config: Record<string, string> = {}): ProtocolMapper {
  return { name, protocol: 'openid-connect', protocolMapper, config: { ...inAccessTokens, ...config } }
}

const roleMappers = [
  mapper('realm roles', 'oidc-usermodel-realm-role-mapper', {
    multivalued: 'true',
    'claim.name': 'realm_access.roles',
  }),
  mapper('client roles', 'oidc-usermodel-client-role-mapper', {
    multivalued: 'true',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Keycloak's own placeholder.
    'claim.name': 'resource_access.${client_id}.roles',
  }),
  mapper('audience resolve', 'oidc-audience-resolve-mapper'),
]

/** Client scopes that each realm starts with. Those without mappers add nothing: every token has their claims. */
export const builtinScopes: ReadonlyMap<string, readonly ProtocolMapper[]> = new Map<string, readonly ProtocolMapper[]>(
  [
    ...[
      'profile',
      'email',
      'web-origins',
      'acr',
      'basic',
      'address',
      'phone',
      'offline_access',
      'microprofile-jwt',
    ].map((name): [string, readonly ProtocolMapper[]] => [name, []]),
    ['roles', roleMappers],
  ],
)
