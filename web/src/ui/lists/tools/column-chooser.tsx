import { Menu } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconColumns from '@tabler/icons-react/dist/esm/icons/IconColumns.mjs'
import { useState } from 'react'
import { keep, readKept } from '../../../lib/kept-json.ts'
import { IconButton } from '../../actions/button.tsx'
import '../../theme/mantine.css'

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** Keys of the columns that the person has hidden in the table of this name, kept in this browser. */
export function useHiddenColumns(table: string): [ReadonlySet<string>, (key: string) => void] {
  const place = `quayside.columns.${table}`
  const [hidden, setHidden] = useState(() => new Set(readKept(place, areTexts)))
  const toggle = (key: string) => {
    const next = new Set(hidden)
    if (!next.delete(key)) next.add(key)
    keep(place, [...next])
    setHidden(next)
  }
  return [hidden, toggle]
}

interface Props {
  /** The columns that may be hidden: all but the first one, which names the row. */
  columns: readonly { key: string; title: string }[]
  hidden: ReadonlySet<string>
  onToggle: (key: string) => void
}

/** The choice of the columns that a table shows. */
export function ColumnChooser({ columns, hidden, onToggle }: Props) {
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <IconButton icon={IconColumns} size={14} label="Columns" />
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map(({ key, title }) => (
          <Menu.Item
            key={key}
            onClick={() => onToggle(key)}
            leftSection={
              <IconCheck
                size={16}
                stroke={1.75}
                aria-hidden
                style={{ visibility: hidden.has(key) ? 'hidden' : 'visible' }}
              />
            }
          >
            {title}
            <span className="unseen">{hidden.has(key) ? ', hidden' : ', shown'}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
