import type { UiConfig } from '@quayside/contract/http/ui-config'
import type { Topic } from '@quayside/contract/live/live'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
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

/** Reads these queries again whenever the server says that the topic changed. */
export function useLive(topic: Topic, ...keys: QueryKey[]): void {
  const { api, live } = usePortal()
  const queries = useQueryClient()
  const wanted = JSON.stringify([topic, keys])
  useEffect(() => {
    const [about, stale] = JSON.parse(wanted) as [Topic, QueryKey[]]
    return live.watch(about, () => {
      api.forget()
      for (const queryKey of stale) void queries.invalidateQueries({ queryKey })
    })
  }, [api, live, queries, wanted])
}

export function useLiveState(): LiveState {
  const { live } = usePortal()
  return useSyncExternalStore(live.onState, live.state)
}
