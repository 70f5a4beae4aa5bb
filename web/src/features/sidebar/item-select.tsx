import type { ListReply } from '@quayside/contract/http/paging'
import type { PinnedKind } from '@quayside/contract/sidebar/endpoints'
import { useQuery } from '@tanstack/react-query'
import { fetchApps } from '../../api/apps.ts'
import { fetchClusters } from '../../api/clusters/clusters.ts'
import { fetchSpaces } from '../../api/spaces.ts'
import type { Api } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import { OptionSelect } from '../../ui/forms/option-select.tsx'
import { texts } from './texts.ts'

interface Item {
  id: string
  displayName: string
}

type Find = (api: Api, query: object, signal: AbortSignal) => Promise<ListReply<Item>>

/** How the items of a category are listed; dashboards are in none of the services of this version. */
const lists: Record<PinnedKind, Find | undefined> = {
  apps: fetchApps,
  spaces: fetchSpaces,
  clusters: fetchClusters,
  dashboards: undefined,
}
const limit = 1000

interface Props {
  category: PinnedKind
  value: string | undefined
  onChange: (item: Item | undefined) => void
}

/** The items of a category, newest first; a list that cannot be had says so inside. */
export function ItemSelect({ category, value, onChange }: Props) {
  const { api } = usePortal()
  const find = lists[category]
  const items = useQuery({
    queryKey: [category, 'to pin'],
    enabled: find !== undefined,
    queryFn: find && (({ signal }) => find(api, { sort: { createdAt: 'DESC' }, page: { skip: 0, limit } }, signal)),
  })
  const found = find === undefined ? [] : items.data?.data
  return (
    <OptionSelect
      key={category}
      label={texts.item}
      searchable
      none
      options={found?.map(({ id, displayName }) => ({ value: id, label: displayName, lines: [texts.id + id] }))}
      value={value}
      onChange={(id) => onChange(found?.find((item) => item.id === id))}
      error={items.error}
      errorName={texts.categories[category]}
      emptyText={texts.noData}
    />
  )
}
