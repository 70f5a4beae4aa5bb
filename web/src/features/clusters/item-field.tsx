import { useDeferredValue, useState } from 'react'
import { useFoundItems } from '../../api/catalog/items.ts'
import { OptionSelect } from '../../ui/forms/option-select.tsx'

interface Item {
  id: string
  displayName: string
}

interface Props {
  value: Item | undefined
  error: string | undefined
  onChange: (item: Item | undefined) => void
}

/** A catalog item, found by its name; left empty, every item. */
export function ItemField({ value, error, onChange }: Props) {
  const [search, setSearch] = useState('')
  const found = useFoundItems(useDeferredValue(search.trim()))
  const items = found.data?.data
  return (
    <OptionSelect
      label="Catalog item"
      placeholder="Every item"
      none
      noneText="Every item"
      options={items?.map(({ id, displayName, manufacturer }) => ({
        ...{ value: id, label: displayName },
        lines: [manufacturer.name],
      }))}
      value={value?.id}
      remote={{ search, onSearch: setSearch, chosen: value && { value: value.id, label: value.displayName } }}
      onChange={(id) => onChange(items?.find((item) => item.id === id))}
      error={found.error}
      errorName="Catalog items"
      emptyText="The catalog is empty"
      invalid={error}
    />
  )
}
