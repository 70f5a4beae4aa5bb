import type { ListReply } from '@quayside/contract/paging'
import type { Space } from '@quayside/contract/portal-api'
import { type Scope, scopes, scopesEverywhere } from '@quayside/contract/scopes'
import { useQuery } from '@tanstack/react-query'
import type { AccessToken } from './access-token.ts'
import { usePortal } from './portal.tsx'

/** Undefined while it is not known yet. */
export type Holds = (scope: Scope) => boolean | undefined

/** What the token's roles give in every space. */
export function scopesOfToken({ resourceAccess }: AccessToken): ReadonlySet<Scope> {
  return scopesEverywhere(
    Object.entries(resourceAccess).flatMap(([client, roles]) => roles.map(({ name }) => `${client}:${name}`)),
  )
}

/** Whoever holds all of these everywhere gains nothing by the list of a space. */
const askedByScreens = scopes.filter((scope) => scope !== 'space.deploy.elevated')
const holdsAll = (held: ReadonlySet<Scope>) => askedByScreens.every((scope) => held.has(scope))

/** What the person may do in one space: by roles of the tenant, and by the list of the space. */
export function useScopesIn(spaceId: string | null | undefined): Holds {
  const { api, me } = usePortal()
  const everywhere = scopesOfToken(me())
  const space = useQuery({
    queryKey: ['spaces', 'one', spaceId],
    enabled: spaceId != null && !holdsAll(everywhere),
    queryFn: ({ signal }) => api.get<Space>(`/portal-api/v3/spaces/${encodeURIComponent(spaceId ?? '')}`, { signal }),
  })
  return (scope) => {
    if (everywhere.has(scope)) return true
    if (spaceId == null || !space.isEnabled || space.isError) return false
    return space.data?.scopes.includes(scope)
  }
}

/** The same for lists, whose rows lie in several spaces, and for what is to go into any of them. */
export function useScopesBySpace() {
  const { api, me } = usePortal()
  const everywhere = scopesOfToken(me())
  const spaces = useQuery({
    queryKey: ['spaces', 'names'],
    enabled: !holdsAll(everywhere),
    queryFn: async () =>
      (await api.get<ListReply<Space>>('/portal-api/v2/spaces', { query: { page: { skip: 0, limit: 1000 } } })).data,
  })
  const known = spaces.isSuccess || spaces.isError
  return {
    /** What the person may do where a row lies. */
    in(spaceId: string | null): Holds {
      const own = spaces.data?.find(({ id }) => id === spaceId)?.scopes
      return (scope) =>
        everywhere.has(scope) || (known || !spaces.isEnabled ? own?.includes(scope) === true : undefined)
    },
    /** Whether there is a space in which the person holds it. */
    somewhere(scope: Scope): boolean | undefined {
      if (everywhere.has(scope)) return true
      if (!known && spaces.isEnabled) return undefined
      return spaces.data?.some(({ scopes: own }) => own.includes(scope)) === true
    },
  }
}
