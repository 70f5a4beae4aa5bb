import type { ListReply } from '@quayside/contract/http/paging'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { fetchApps } from '../../../api/apps.ts'
import { fetchItems } from '../../../api/catalog.ts'
import { fetchClusters } from '../../../api/clusters/clusters.ts'
import { fetchSpaces } from '../../../api/spaces.ts'
import type { Api } from '../../../lib/api/api.ts'
import { type Portal, usePortal } from '../../../lib/portal.tsx'
import { matchesAny } from '../../../ui/forms/matches-any.ts'
import { navigationFor } from '../../navigation.ts'

/** One place to go. */
export interface Jump {
  name: string
  detail: string
  to: string
}

interface Source {
  title: string
  state: string
  find: (
    api: Api,
    query: object,
    signal: AbortSignal,
  ) => Promise<ListReply<{ id: string; displayName: string; name: string }>>
  to: (id: string) => string
}

const sources: readonly Source[] = [
  { title: 'Spaces', state: 'spaces', find: fetchSpaces, to: (id) => `/spaces/${id}/overview` },
  { title: 'Apps', state: 'apps', find: fetchApps, to: (id) => `/apps/${id}` },
  { title: 'Catalog', state: 'catalog/apps', find: fetchItems, to: (id) => `/catalog/apps/${id}` },
  { title: 'Clusters', state: 'clusters', find: fetchClusters, to: (id) => `/clusters/${id}` },
]
const perSource = 6

/** Pages at once, the rest as the server finds them; what cannot be searched is named. */
export function usePaletteResults(text: string) {
  const portal = usePortal()
  const pages = pagesFor(portal).filter((jump) => matchesAny([jump.name, jump.detail], text))
  const open = new Set(pagesFor(portal).map(({ to }) => to))
  const asked = sources.filter(({ state }) => open.has(`/${state}`))
  const results = useQueries({
    queries: asked.map(({ state, find }) => ({
      queryKey: ['palette', state, text],
      placeholderData: keepPreviousData,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        find(portal.api, { search: text, page: { skip: 0, limit: perSource } }, signal),
    })),
  })
  const found = asked.map(({ title, to }, index) => ({
    title,
    jumps: (results[index]?.data?.data ?? []).map(({ id, displayName, name }) => ({
      name: displayName,
      detail: name,
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
