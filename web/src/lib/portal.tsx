import type { UiConfig } from '@quayside/contract/http/ui-config'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { AccessToken } from './access-token.ts'
import type { Api } from './api/api.ts'
import type { LiveConnection, LiveState } from './live/live-connection.ts'
import type { Session } from './session/session.ts'

/** Everything that a page may ask for. Made once in app/start, handed down here. */
export interface Portal {
  config: UiConfig
  api: Api
  session: Session
  live: LiveConnection
  /** The signed-in person, as the newest token says. */
  me(): AccessToken
}

const PortalContext = createContext<Portal | undefined>(undefined)
export const PortalProvider = PortalContext.Provider

export function usePortal(): Portal {
  const portal = useContext(PortalContext)
  if (portal === undefined) throw new Error('usePortal needs a PortalProvider above it')
  return portal
}

/** Draws again with each new token, which may say other roles than the one before. */
export function useNewestToken(): void {
  const { session } = usePortal()
  useSyncExternalStore(
    (listener) => session.events.on(({ name }) => name === 'NewAuthenticationResult' && listener()),
    () => session.token()?.rawAccessToken,
  )
}

export function useLiveState(): LiveState {
  const { live } = usePortal()
  return useSyncExternalStore(live.onState, live.state)
}
