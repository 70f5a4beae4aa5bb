import { Menu } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { IconButton } from './button.tsx'
import './theme/mantine.css'

export interface MenuEntry {
  label: string
  icon?: Icon
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
}

/** What can be done with one row. */
export function RowMenu({ name, entries }: { name: string; entries: readonly MenuEntry[] }) {
  if (entries.length === 0) return null
  return (
    <Menu>
      <Menu.Target>
        <IconButton icon={IconDots} label={`Actions for ${name}`} onClick={(event) => event.stopPropagation()} />
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        {entries.map(({ label, icon: EntryIcon, onSelect, danger, disabled }) => (
          <Menu.Item
            key={label}
            onClick={onSelect}
            disabled={disabled}
            color={danger === true ? 'var(--bad)' : undefined}
            leftSection={EntryIcon && <EntryIcon size={16} stroke={1.75} aria-hidden />}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
