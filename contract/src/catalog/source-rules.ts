/** Kinds of places from which charts come into the catalog by themselves. */
export const sourceKinds = ['helm', 'oci'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** Ways to sign in at a source. */
export const sourceSignIns = ['none', 'password', 'token'] as const
export type SourceSignIn = (typeof sourceSignIns)[number]

/** Hours between two runs of a schedule. */
export const scheduleHours = [1, 3, 6, 12, 24, 168] as const

export const sourceLimits = {
  /** Sources of one tenant. */
  sources: 50,
  address: 500,
  username: 255,
  secret: 4000,
  patterns: 50,
  pattern: 200,
  /** `*` in one pattern: it is compared with tens of thousands of names. */
  stars: 3,
  /** Newest versions taken of one chart. */
  versions: 20,
} as const

/** The scheme by which Helm names registries. */
const ociScheme = /^oci:\/\//i

/** Address of a source as the web address that is asked: `oci://` stands for https. */
export function webAddressOf(typed: string): string {
  return typed.trim().replace(ociScheme, 'https://')
}

/** Fault of the address of a source, as the end of a sentence about it; undefined for a good one. */
export function sourceAddressProblem(kind: SourceKind, typed: string): string | undefined {
  const text = typed.trim()
  if (text.length > sourceLimits.address) return `may have at most ${sourceLimits.address} characters`
  const isOci = ociScheme.test(text)
  const example = kind === 'oci' ? 'oci://registry.example.org/charts' : 'https://charts.example.org'
  const web = webAddressOf(text)
  if (/[\s\p{Cc}\p{Cf}]/u.test(text) || !URL.canParse(web)) return `must be complete, as in ${example}`
  const url = new URL(web)
  if (!/^https?:$/.test(url.protocol)) return `must be complete, as in ${example}`
  if (isOci && kind === 'helm') return 'is that of an OCI registry: choose that kind'
  if (url.username !== '' || url.password !== '')
    return 'must not have a user name or a password: these have fields of their own'
  if (text.includes('#') || text.includes('?')) return 'must not have a ? or a #'
  if (kind === 'oci' && !ociPath.test(url.pathname))
    return 'must be that of a registry, with a path of lower-case names or none'
  return undefined
}

/** The path of a repository or a namespace, by the distribution specification; a registry alone has none. */
const ociPath = /^(?:\/|(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)+\/?)$/

/** Fault of a pattern of chart names; undefined for a good one. */
export function patternProblem(text: string): string | undefined {
  if (!/^!?[A-Za-z0-9._*?-]+$/.test(text))
    return 'a chart name; * matches any text, ? one character, a leading ! excludes'
  return text.split('*').length - 1 > sourceLimits.stars
    ? `at most ${sourceLimits.stars} times * in a pattern`
    : undefined
}
