import { type Searched, useSearch } from '../../../api/search.ts'
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
  list: Searched
  to: (id: string) => string
}

const sources: readonly Source[] = [
  { title: 'Spaces', state: 'spaces', list: 'spaces', to: (id) => `/spaces/${id}/overview` },
  { title: 'Apps', state: 'apps', list: 'apps', to: (id) => `/apps/${id}` },
  { title: 'Catalog', state: 'catalog/apps', list: 'items', to: (id) => `/catalog/apps/${id}` },
  { title: 'Clusters', state: 'clusters', list: 'clusters', to: (id) => `/clusters/${id}` },
]

/** Pages at once, the rest as the server finds them; what cannot be searched is named. */
export function usePaletteResults(text: string) {
  const portal = usePortal()
  const pages = pagesFor(portal).filter((jump) => matchesAny([jump.name, jump.detail], text))
  const open = new Set(pagesFor(portal).map(({ to }) => to))
  const asked = sources.filter(({ state }) => open.has(`/${state}`))
  const results = useSearch(
    asked.map(({ list }) => list),
    text,
  )
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
      ? [{ name: 'Activity', detail: 'What was deployed, by whom', to: '/cloud-automation' }]
      : []),
    { name: 'Account', detail: '', to: '/account' },
  ]
}
