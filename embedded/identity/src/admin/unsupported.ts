/** Calls of Keycloak's Admin API that this server does not have, with what they are for. */
const unsupported: readonly (readonly [RegExp, string])[] = [
  [/^\/authentication\//, 'Authentication flows and their steps are fixed'],
  [/^\/client-policies/, 'There are no client policies'],
  [/^\/clients-initial-access|^\/client-registration-policy/, 'Clients do not register themselves'],
  [/^\/clients\/[^/]+\/registration-access-token/, 'Clients do not register themselves'],
  [/^\/clients\/[^/]+\/authz/, 'There are no authorization services'],
  [/\/management\/permissions$|^\/users-management-permissions/, 'There are no fine-grained admin permissions'],
  [/^\/clients\/[^/]+\/certificates/, 'Clients sign in with a secret, not with a certificate'],
  [/^\/clients\/[^/]+\/client-secret\/rotated/, 'A new secret replaces the old one at once'],
  [/^\/clients\/[^/]+\/nodes/, 'Clients have no cluster nodes'],
  [/^\/clients\/[^/]+\/installation/, 'There are no adapter files'],
  [/^\/client(s\/[^/]+\/evaluate-scopes|-description-converter|-types|-templates)/, 'This cannot be tried out here'],
  [/^\/partial-export/, 'Realms are not exported'],
  [/^\/users\/[^/]+\/impersonation/, 'Nobody signs in as somebody else'],
  [/^\/organizations/, 'There are no organizations'],
  [/^\/localization/, 'Texts of the pages are fixed'],
  [/^\/workflows/, 'There are no workflows'],
]

/** Why there is no call at this path of a realm; undefined for a path that Keycloak does not have either. */
export function whyUnsupported(path: string): string | undefined {
  const [, why] = unsupported.find(([pattern]) => pattern.test(path)) ?? []
  return why === undefined ? undefined : `${why} on this identity server`
}
