import { createApi } from '../lib/api/api.ts'
import { createLiveConnection } from '../lib/live/live-connection.ts'
import type { Portal } from '../lib/portal.tsx'
import { fetchRuntimeConfig } from '../lib/runtime-config.ts'
import { createSession } from '../lib/session/session.ts'

const base = import.meta.env.BASE_URL

/** The path below the base, with its query: what sign-in brings the person back to. */
function currentPath(): string {
  const { pathname, search, hash } = window.location
  return `/${pathname.slice(base.length)}${search}${hash}`
}

/** Reads the configuration, signs the person in and puts the parts together: the web's composition root. */
export async function startPortal(): Promise<Portal | 'leaving'> {
  const config = await fetchRuntimeConfig(base)
  const session = createSession({
    config,
    home: window.location.origin + base,
    location: () => ({ href: window.location.href, path: currentPath() }),
    navigate: {
      replace: (path) => window.history.replaceState(null, '', base + path.replace(/^\//, '')),
      reload: () => window.location.reload(),
    },
  })
  if ((await session.start()) === 'leaving') return 'leaving'
  const live = createLiveConnection(
    () => session.token()?.rawAccessToken,
    (listener) => session.events.on(({ name }) => name === 'NewAuthenticationResult' && listener()),
    {
      onSignedOut: () => void session.checkAgain().catch((error: unknown) => console.warn('Signing in failed', error)),
      onRightsChanged: () => void session.tokens.refresh(),
    },
  )
  let last = session.token()
  return {
    config,
    session,
    live,
    api: createApi(session.tokens),
    me() {
      // Between losing a token and leaving for the sign-in page, views still know who was here.
      last = session.token() ?? last
      if (last === undefined) throw new Error('Nobody is signed in.')
      return last.accessToken
    },
  }
}
