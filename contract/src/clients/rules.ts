/** Kinds of clients: those of the portal, of deployed apps, of scripts, of the identity server, and all others. */
export const clientKinds = ['portal', 'app', 'script', 'identity-server', 'other'] as const
export type ClientKind = (typeof clientKinds)[number]

export const mostRedirectUris = 30
export const mostWebOrigins = 30
const longestUri = 500

const shownAscii = /^[\x21-\x7e]+$/

function parsed(uri: string): URL | undefined {
  try {
    return new URL(uri)
  } catch {
    return undefined
  }
}

const isWeb = ({ protocol }: URL) => protocol === 'https:' || protocol === 'http:'

/** An address with a `*` at its end stands for all below a path, and for nothing more. */
function wildcardProblem(uri: string): string | undefined {
  if (!uri.includes('*')) return undefined
  const url = parsed(uri.replace(/\*$/, ''))
  if (!uri.endsWith('/*') || uri.indexOf('*') !== uri.length - 1 || url === undefined || !isWeb(url))
    return 'a * can only stand at the end, after a slash, as in https://app.example.org/signed-in/*'
  return undefined
}

/** Fault of an address to which people are sent back after they signed in; undefined when nothing is. */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > longestUri || !shownAscii.test(uri)) return `at most ${longestUri} characters, without spaces`
  const url = parsed(uri)
  if (url === undefined) return 'an address such as https://app.example.org/signed-in'
  if (url.username !== '' || url.password !== '') return 'no user name and no password'
  if (uri.includes('#')) return 'no # in it'
  // An app on a device has a scheme of its own, named after a domain of its maker: others open what they like.
  if (!isWeb(url) && !/^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol))
    return 'begins with https://, http:// or the scheme of an app, such as org.example.app:'
  return wildcardProblem(uri)
}

/** Fault of an origin whose pages may call the identity server; undefined when nothing is. */
export function webOriginProblem(origin: string): string | undefined {
  if (origin === '+') return undefined
  const url = origin.length <= longestUri && shownAscii.test(origin) ? parsed(origin) : undefined
  if (url === undefined || !isWeb(url) || url.origin !== origin)
    return 'an origin such as https://app.example.org, without a path, or + for those of the addresses above'
  return undefined
}
