import type { Route } from './route.ts'

/** Types of resources by the routes that change them, as Keycloak names them; the first that fits counts. */
const resourceTypes: readonly (readonly [RegExp, string])[] = [
  [/\/role-mappings\/realm/, 'REALM_ROLE_MAPPING'],
  [/\/role-mappings\/clients/, 'CLIENT_ROLE_MAPPING'],
  [/\/scope-mappings\/realm/, 'REALM_SCOPE_MAPPING'],
  [/\/scope-mappings/, 'CLIENT_SCOPE_MAPPING'],
  [/^\/users\/:\w+\/groups/, 'GROUP_MEMBERSHIP'],
  [/\/federated-identity/, 'USER_FEDERATED_IDENTITY'],
  [/^\/users/, 'USER'],
  [/^\/(default-)?groups/, 'GROUP'],
  [/^\/identity-provider\/.*\/mappers/, 'IDENTITY_PROVIDER_MAPPER'],
  [/^\/identity-provider/, 'IDENTITY_PROVIDER'],
  [/\/protocol-mappers/, 'PROTOCOL_MAPPER'],
  [/^\/clients\/:\w+\/roles/, 'CLIENT_ROLE'],
  [/^\/clients/, 'CLIENT'],
  [/^\/(default-.*)?client-scopes/, 'CLIENT_SCOPE'],
  [/^\/roles/, 'REALM_ROLE'],
  [/^\/sessions|^\/logout-all/, 'USER_SESSION'],
  [/^\/attack-detection/, 'USER_LOGIN_FAILURE'],
  [/^\/authentication/, 'REQUIRED_ACTION'],
  [/.*/, 'REALM'],
]

const resourceTypeOf = ({ path }: Route) => resourceTypes.find(([pattern]) => pattern.test(path))?.[1] ?? 'REALM'

/** Calls that do something to a thing and leave its settings as they are. */
const isAction = ({ path }: Route) =>
  /\/(logout|reset-password|disable-credential-types|execute-actions-email|client-secret|logout-all)$/.test(path)

const operations = { POST: 'CREATE', PUT: 'UPDATE', DELETE: 'DELETE' } as const

/** A call in the words of Keycloak's admin events; undefined for one that only reads. */
export function adminEventOf(route: Route, path: string) {
  // Keycloak answers such questions by POST as well.
  if (route.method === 'GET' || /evaluate|introspect|import-config/.test(route.path)) return undefined
  return {
    operationType: isAction(route) ? ('ACTION' as const) : operations[route.method],
    resourceType: resourceTypeOf(route),
    resourcePath: path.replace(/^\/|\/$/g, ''),
  }
}
