import type ClientRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientRepresentation.js'
import type ProtocolMapperRepresentation from '@keycloak/keycloak-admin-client/lib/defs/protocolMapperRepresentation.js'
import type { ClientDetail, ClientRow } from '@quayside/contract/clients/administration'
import type { ClientKind } from '@quayside/contract/clients/rules'
import { apiAudience, scriptMark } from '../../adapters/keycloak/realm/portal-clients.ts'
import { internalClients, isReserved } from './reserved-names.ts'

const ofApps = 'quayside-app-'

export function kindOf({ clientId = '', attributes }: ClientRepresentation): ClientKind {
  if (internalClients.includes(clientId)) return 'identity-server'
  if (clientId.startsWith(ofApps)) return 'app'
  if (isReserved(clientId)) return 'portal'
  return attributes?.[scriptMark] === 'true' ? 'script' : 'other'
}

/** A sentence that says why nobody changes the client in the portal; null when it can be changed. */
export function keptBecause(client: ClientRepresentation): string | null {
  const name = client.clientId ?? ''
  switch (kindOf(client)) {
    case 'identity-server':
      return `The identity server itself works with ${name}: it stays as it is.`
    case 'portal':
      return `People sign in to the portal with ${name}: it stays as it is.`
    case 'app':
      return `${name} belongs to an app: it is changed by deploying the app, and deleted with it.`
    default:
      return null
  }
}

/** The portal takes tokens that are meant for it. */
export const opensPortal = ({ protocolMappers = [] }: ClientRepresentation): boolean =>
  protocolMappers.some(({ config }) =>
    [config?.['included.custom.audience'], config?.['included.client.audience']].includes(apiAudience),
  )

// Keycloak names its own clients by keys of its message files.
const nameOf = ({ name, clientId = '' }: ClientRepresentation) => (!name || name.startsWith('${') ? clientId : name)

export const toRow = (client: ClientRepresentation): ClientRow => ({
  id: client.id ?? '',
  clientId: client.clientId ?? '',
  name: nameOf(client),
  description: client.description ?? '',
  kind: kindOf(client),
  enabled: client.enabled ?? false,
  isPublic: client.publicClient ?? false,
})

/** A mapper by what it puts into tokens: the claim that it writes, or the audience that it adds. */
const toMapper = ({ name, protocolMapper, config }: ProtocolMapperRepresentation) => ({
  name: name ?? '',
  kind: protocolMapper ?? '',
  writes: String(
    config?.['claim.name'] ?? config?.['included.custom.audience'] ?? config?.['included.client.audience'] ?? '',
  ),
})

export const toDetail = (
  client: ClientRepresentation,
  serviceAccount: ClientDetail['serviceAccount'],
): ClientDetail => ({
  ...toRow(client),
  keptBecause: keptBecause(client),
  opensPortal: opensPortal(client),
  redirectUris: client.redirectUris ?? [],
  webOrigins: client.webOrigins ?? [],
  consentRequired: client.consentRequired ?? false,
  flows: {
    standard: client.standardFlowEnabled ?? false,
    implicit: client.implicitFlowEnabled ?? false,
    password: client.directAccessGrantsEnabled ?? false,
    serviceAccount: client.serviceAccountsEnabled ?? false,
  },
  fullScopeAllowed: client.fullScopeAllowed ?? false,
  defaultScopes: [...(client.defaultClientScopes ?? [])].sort(),
  optionalScopes: [...(client.optionalClientScopes ?? [])].sort(),
  mappers: (client.protocolMappers ?? []).map(toMapper),
  serviceAccount,
})
