const DANGEROUS = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:']

/** Why a registered redirect URI (or pattern ending in `/*`) cannot be accepted; undefined when it can. */
export function redirectPatternProblem(pattern: string): string | undefined {
  const url = URL.parse(pattern)
  if (!url) return `${pattern} is not an absolute address`
  if (DANGEROUS.includes(url.protocol)) return `${pattern} has a scheme that is not allowed`
  if (url.hash !== '') return `${pattern} has a fragment`
  if (url.username !== '' || url.password !== '') return `${pattern} carries credentials`
  const star = pattern.indexOf('*')
  const onlyAtTheEnd = star === pattern.length - 1 && pattern.endsWith('/*') && url.search === ''
  if (star !== -1 && !onlyAtTheEnd) return `${pattern} has a wildcard that is not at the end of its path`
  if (star !== -1 && url.host.includes('*')) return `${pattern} has a wildcard in its host`
  return undefined
}

// A path that climbs out of its folder, in any of its spellings, must not pass as being below it.
const CLIMBS = /(^|[/\\])(\.|%2e){1,2}([/\\?#]|%2f|%5c|$)|\\|%5c/i

/**
 * Tells whether a requested redirect address is covered by the registered ones: letter by letter, or below a `/*`
 * pattern.
 */
export function redirectAllowed(requested: string, registered: readonly string[], ownOrigin: string): boolean {
  if (!requested.includes('*') && registered.includes(requested)) return true
  const url = URL.parse(requested)
  if (url === null) return false
  if (url.hash !== '' || url.username !== '' || url.password !== '') return false
  if (requested.includes('*') || CLIMBS.test(requested.slice(requested.indexOf('://') + 3))) return false
  return registered.some((pattern) => {
    if (!pattern.endsWith('/*')) return false
    const folder = URL.parse(pattern.slice(0, -1))
    // Wildcards reach no further than our own origin: a foreign host has to be registered letter by letter.
    return (
      folder !== null &&
      folder.origin === ownOrigin &&
      url.origin === ownOrigin &&
      url.pathname.startsWith(folder.pathname)
    )
  })
}
