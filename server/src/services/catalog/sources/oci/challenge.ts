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

/** Hosts that have people sign in at another one of the same owner. */
const knownPairs: Readonly<Record<string, string>> = {
  'docker.io': 'auth.docker.io',
  'index.docker.io': 'auth.docker.io',
  'registry-1.docker.io': 'auth.docker.io',
  'registry.digitalocean.com': 'api.digitalocean.com',
}

/**
 * Tells whether a secret for one host may go to another, where that host signs people in: the same one, one that is known
 * to be of the same owner, or the domain that it lies in, as `example.org` is of `registry.example.org`: whoever has that
 * decides where its names lead.
 */
export function isSameOwner(host: string, other: string): boolean {
  const isDomain = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(other)
  return host === other || knownPairs[host] === other || (isDomain && host.endsWith(`.${other}`))
}
