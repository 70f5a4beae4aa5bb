import type { PinnedKind } from '@quayside/contract/sidebar/endpoints'
import { type PinnableItem, usePinnable } from '../../api/pinnable.ts'
import { OptionSelect } from '../../ui/forms/option-select.tsx'
import { texts } from './texts.ts'

interface Props {
  category: PinnedKind
  value: string | undefined
  onChange: (item: PinnableItem | undefined) => void
}

/** The items of a category, newest first; a list that cannot be had says so inside. */
export function ItemSelect({ category, value, onChange }: Props) {
  const { data: found, error } = usePinnable(category)
  return (
    <OptionSelect
      key={category}
      label={texts.item}
      searchable
      none
      options={found?.map(({ id, displayName }) => ({ value: id, label: displayName, lines: [texts.id + id] }))}
      value={value}
      onChange={(id) => onChange(found?.find((item) => item.id === id))}
      error={error}
      errorName={texts.categories[category]}
      emptyText={texts.noData}
    />
  )
}
