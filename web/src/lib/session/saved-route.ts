const key = 'quayside.saved-route'

/** Keeps the page that the person was on while they sign in; only paths of our own are kept. */
export function saveRoute(path: string): void {
  sessionStorage.setItem(key, path)
}

/** The kept page, once. */
export function takeSavedRoute(): string | undefined {
  const path = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return path !== null && isOwnPath(path) ? path : undefined
}

/** A path on this host and nothing that a browser would read as another one. */
export function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path)
}
