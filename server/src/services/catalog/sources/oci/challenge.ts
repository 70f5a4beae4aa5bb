/** A demand of a registry to sign in, as its `www-authenticate` header says it. */
export type Challenge = { scheme: 'basic' } | { scheme: 'bearer'; realm: string; service: string; scope: string }

/** Reads the header; undefined for a demand of a kind that is not known. */
export function challengeIn(header: string | undefined): Challenge | undefined {
  const [, scheme = '', rest = ''] = /^\s*([A-Za-z]+)(?:\s+(.*))?$/s.exec((header ?? '').slice(0, 4000)) ?? []
  if (scheme.toLowerCase() === 'basic') return { scheme: 'basic' }
  if (scheme.toLowerCase() !== 'bearer') return undefined
  const said = new Map<string, string>()
  for (const [, name = '', quoted, bare] of rest.matchAll(/([a-z_]+)=(?:"([^"]*)"|([^\s",]+))/gi))
    said.set(name.toLowerCase(), quoted ?? bare ?? '')
  const realm = said.get('realm')
  if (!realm || !URL.canParse(realm)) return undefined
  return { scheme: 'bearer', realm, service: said.get('service') ?? '', scope: said.get('scope') ?? '' }
}

/**
 * Tells whether a secret for one host may go to another, where that host signs people in: the same one, or a neighbour
 * under the name of the same owner, as `auth.example.org` is of `registry.example.org`.
 */
export function isNeighbour(host: string, other: string): boolean {
  if (host === other) return true
  const owner = (name: string) => name.split('.').slice(-2).join('.')
  const isName = (name: string) => /^[a-z0-9.-]+\.[a-z]{2,}$/i.test(name)
  return isName(host) && isName(other) && owner(host) === owner(other)
}
