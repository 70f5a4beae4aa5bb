import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { SearchField } from '../search-field.tsx'
import styles from './choice-list.module.css'

/** From this many on a list is easier searched than read. */
const searchedFrom = 9

interface Props {
  label: string
  /** Label of the search field. */
  searchLabel: string
  /** Said when the search finds nothing. */
  noMatch: string
  options: readonly { id: string; name: string; description: string }[]
  chosen: string[]
  /** How many may be ticked; left out, all. */
  most?: number | undefined
  onChange: (ids: string[]) => void
}

/** Things to tick, with a search field when there are many; what is ticked stays in sight. */
export function ChoiceList({ label, searchLabel, noMatch, options, chosen, most, onChange }: Props) {
  const [search, setSearch] = useState('')
  const text = search.trim().toLowerCase()
  const shown = options.filter(
    ({ id, name, description }) => chosen.includes(id) || `${name} ${description}`.toLowerCase().includes(text),
  )
  const isFull = most !== undefined && chosen.length >= most
  return (
    <>
      {options.length >= searchedFrom && (
        <div className={styles.search}>
          <SearchField label={searchLabel} value={search} onChange={setSearch} />
        </div>
      )}
      <Checkbox.Group label={label} value={chosen} onChange={onChange}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keys. */}
        <div className={styles.choices} tabIndex={0}>
          {shown.map(({ id, name, description }) => (
            <Checkbox
              key={id}
              value={id}
              label={<bdi>{name}</bdi>}
              description={description}
              disabled={isFull && !chosen.includes(id)}
            />
          ))}
          {shown.length === 0 && (
            <p className={styles.none}>
              <bdi>{noMatch}</bdi>
            </p>
          )}
        </div>
      </Checkbox.Group>
      {isFull && (
        <p className={styles.none} role="status">
          <bdi>No more than {most} can be chosen.</bdi>
        </p>
      )}
    </>
  )
}
