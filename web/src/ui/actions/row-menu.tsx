import { Menu } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { IconButton } from './button.tsx'
import { type Right, useExplain } from './explain.ts'
import '../theme/mantine.css'

export interface MenuEntry {
  label: string
  icon?: Icon
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
  /** The right that it asks for: without it, choosing the entry says why. */
  right?: Right
}

/** The menu of actions on one row. */
export function RowMenu({ name, entries }: { name: string; entries: readonly MenuEntry[] }) {
  const explain = useExplain()
  if (entries.length === 0) return null
  return (
    <Menu>
      <Menu.Target>
        <IconButton icon={IconDots} label={`Actions for ${name}`} onClick={(event) => event.stopPropagation()} />
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        {entries.map(({ label, icon, onSelect, danger, disabled, right }) => {
          const closed = right?.allowed === false ? right.why : undefined
          const isUnknown = right !== undefined && right.allowed === undefined
          const EntryIcon = closed === undefined ? icon : IconLock
          return (
            <Menu.Item
              key={label}
              onClick={closed === undefined ? onSelect : () => explain(closed)}
              disabled={disabled === true || isUnknown}
              aria-disabled={closed !== undefined || undefined}
              aria-haspopup={closed === undefined ? undefined : 'dialog'}
              color={closed !== undefined ? 'var(--muted)' : danger === true ? 'var(--bad)' : undefined}
              leftSection={EntryIcon && <EntryIcon size={16} stroke={1.75} aria-hidden />}
            >
              {label}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
