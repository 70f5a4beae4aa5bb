import type { PinnedKind } from '@quayside/contract/menu'
import type { ListReply } from '@quayside/contract/paging'
import { useQuery } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { OptionSelect } from '../../ui/option-select.tsx'
import { texts } from './texts.ts'

interface Item {
  id: string
  displayName: string
}

/** Where the items of a category are listed; dashboards are in none of the services of this version. */
const lists: Record<PinnedKind, string | undefined> = {
  apps: '/portal-api/v2/apps',
  spaces: '/portal-api/v2/spaces',
  clusters: '/cluster/v2/clusters',
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
  const path = lists[category]
  const items = useQuery({
    queryKey: [category, 'to pin'],
    enabled: path !== undefined,
    queryFn: ({ signal }) =>
      api.get<ListReply<Item>>(path ?? '', {
        signal,
        query: { sort: { createdAt: 'DESC' }, page: { skip: 0, limit } },
      }),
  })
  const found = path === undefined ? [] : items.data?.data
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
