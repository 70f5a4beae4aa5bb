import type { ListReply } from '@quayside/contract/paging'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { type Portal, usePortal } from '../../lib/portal.tsx'
import { matchesAny } from '../../ui/matches-any.ts'
import { navigationFor } from '../navigation.ts'

/** One place to go. */
export interface Jump {
  name: string
  detail: string
  to: string
}

interface Named {
  id: string
  displayName: string
  name?: string
}

const sources: readonly { title: string; state: string; path: string; to: (id: string) => string }[] = [
  { title: 'Spaces', state: 'spaces', path: '/portal-api/v2/spaces', to: (id) => `/spaces/${id}/overview` },
  { title: 'Apps', state: 'apps', path: '/portal-api/v2/apps', to: (id) => `/apps/${id}` },
  { title: 'Catalog', state: 'catalog/apps', path: '/catalog/v2/items', to: (id) => `/catalog/apps/${id}` },
  { title: 'Clusters', state: 'clusters', path: '/cluster/v2/clusters', to: (id) => `/clusters/${id}` },
]
const perSource = 6

/** Pages at once, the rest as the server finds them; what cannot be searched is named. */
export function usePaletteResults(text: string) {
  const portal = usePortal()
  const pages = pagesFor(portal).filter((jump) => matchesAny([jump.name, jump.detail], text))
  const open = new Set(pagesFor(portal).map(({ to }) => to))
  const asked = sources.filter(({ state }) => open.has(`/${state}`))
  const results = useQueries({
    queries: asked.map(({ state, path }) => ({
      queryKey: ['palette', state, text],
      placeholderData: keepPreviousData,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        portal.api.get<ListReply<Named>>(path, {
          signal,
          query: { search: text, page: { skip: 0, limit: perSource } },
        }),
    })),
  })
  const found = asked.map(({ title, to }, index) => ({
    title,
    jumps: (results[index]?.data?.data ?? []).map(({ id, displayName, name }) => ({
      name: displayName,
      detail: name ?? id,
      to: to(id),
    })),
  }))
  return {
    groups: [{ title: 'Pages', jumps: pages }, ...found].filter(({ jumps }) => jumps.length > 0),
    failed: asked.filter((_, index) => results[index]?.isError === true).map(({ title }) => title),
    busy: results.some(({ isFetching }) => isFetching),
  }
}

function pagesFor({ config, me }: Portal): Jump[] {
  const entries = navigationFor(config, me()).flatMap((section) => section.entries)
  return [
    ...entries
      .filter(({ disable }) => !disable)
      .map(({ section, name, state }) => ({ name, detail: section === 'CATALOG' ? 'Catalog' : '', to: `/${state}` })),
    ...(entries.some(({ state, disable }) => state === 'apps' && !disable)
      ? [{ name: 'Cloud automation', detail: 'What was deployed, by whom', to: '/cloud-automation' }]
      : []),
    { name: 'Account', detail: '', to: '/account' },
  ]
}
