import type ClientRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientRepresentation.js'
import type ProtocolMapperRepresentation from '@keycloak/keycloak-admin-client/lib/defs/protocolMapperRepresentation.js'
import { clientOf, mainClient, resourceRoles, type Section, sections } from '@quayside/contract/permissions/roles'

export const apiAudience = 'quayside-api'
/** Marks clients that people made for their scripts: only these can be deleted through the portal. */
export const scriptMark = 'quayside.script'

const inTokens = { 'access.token.claim': 'true', 'id.token.claim': 'true', 'userinfo.token.claim': 'true' }

const inAccessTokens = { 'access.token.claim': 'true', 'id.token.claim': 'false', 'userinfo.token.claim': 'false' }

function attributeMapper(attribute: string): ProtocolMapperRepresentation {
  return {
    name: `quayside ${attribute}`,
    protocol: 'openid-connect',
    protocolMapper: 'oidc-usermodel-attribute-mapper',
    config: { ...inTokens, 'user.attribute': attribute, 'claim.name': attribute, 'jsonType.label': 'String' },
  }
}

/** Claims of the portal's tokens beyond Keycloak's own: the audience, and who the user is to the portal. */
export const mappers: readonly ProtocolMapperRepresentation[] = [
  {
    name: 'quayside audience',
    protocol: 'openid-connect',
    protocolMapper: 'oidc-audience-mapper',
    config: { 'included.custom.audience': apiAudience, 'access.token.claim': 'true', 'id.token.claim': 'false' },
  },
  {
    name: 'quayside user id',
    protocol: 'openid-connect',
    protocolMapper: 'oidc-usermodel-property-mapper',
    config: { ...inTokens, 'user.attribute': 'id', 'claim.name': 'user_id', 'jsonType.label': 'String' },
  },
  attributeMapper('homescreen'),
  attributeMapper('currency'),
]

const titles: Readonly<Record<Section, string>> = {
  apps: 'Apps',
  spaces: 'Spaces',
  dashboards: 'Dashboards',
  'catalog-apps': 'Catalog: Apps',
  'catalog-nodes': 'Catalog: Nodes',
  'catalog-flows': 'Catalog: Flows',
  clusters: 'Clusters',
  'iam-users': 'Users',
  'iam-groups': 'Groups',
  'iam-roles': 'Roles',
  'iam-policies': 'Policies',
  'iam-loginsettings': 'Login Settings',
}

export interface PortalClient {
  clientId: string
  roles: readonly string[]
  representation: ClientRepresentation
}

/**
 * The portal's own client: its tokens are meant for it, it asks the identity server about them, and it stands for the
 * portal where permissions are asked for. Nobody signs in with it.
 */
export const apiClient: ClientRepresentation = {
  clientId: apiAudience,
  name: 'Portal: API',
  protocol: 'openid-connect',
  publicClient: false,
  standardFlowEnabled: false,
  implicitFlowEnabled: false,
  directAccessGrantsEnabled: false,
  serviceAccountsEnabled: true,
  fullScopeAllowed: true,
  // A person's roles are read from a token of this client, so it does not depend on the realm's client scopes.
  protocolMappers: [
    {
      name: 'quayside realm roles',
      protocol: 'openid-connect',
      protocolMapper: 'oidc-usermodel-realm-role-mapper',
      config: {
        ...inAccessTokens,
        multivalued: 'true',
        'claim.name': 'realm_access.roles',
        'jsonType.label': 'String',
      },
    },
    {
      name: 'quayside resource roles',
      protocol: 'openid-connect',
      protocolMapper: 'oidc-usermodel-client-role-mapper',
      config: {
        ...inAccessTokens,
        multivalued: 'true',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Keycloak's own placeholder.
        'claim.name': 'resource_access.${client_id}.roles',
        'jsonType.label': 'String',
      },
    },
  ],
}

/** Clients with which people sign in to the portal. */
export const signInClients: ReadonlySet<string> = new Set([mainClient, ...sections.map(clientOf)])

/** The portal's sign-in clients with their roles, for a portal at this address. */
export function portalClients(portalUrl: string): PortalClient[] {
  const { origin } = new URL(portalUrl)
  const representation = (clientId: string, name: string): ClientRepresentation => ({
    clientId,
    name,
    protocol: 'openid-connect',
    publicClient: true,
    standardFlowEnabled: true,
    implicitFlowEnabled: false,
    directAccessGrantsEnabled: false,
    serviceAccountsEnabled: false,
    fullScopeAllowed: true,
    baseUrl: `${portalUrl}/en/`,
    redirectUris: [`${portalUrl}/en/`],
    webOrigins: [origin],
    attributes: { 'pkce.code.challenge.method': 'S256', 'post.logout.redirect.uris': '+' },
  })
  return [
    { clientId: mainClient, roles: ['access'], representation: representation(mainClient, 'Portal') },
    ...sections.map((section) => ({
      clientId: clientOf(section),
      roles: ['access', ...resourceRoles[section]],
      representation: representation(clientOf(section), `Portal: ${titles[section]}`),
    })),
  ]
}
