import type { Icon } from '@tabler/icons-react'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { Popover } from '../../ui/layout/popover.tsx'
import menu from '../../ui/layout/popover-menu.module.css'
import { classNames } from '../../ui/marks/class-names.ts'
import styles from './custom-sidebar.module.css'

interface Action {
  label: string
  icon: Icon
  act: () => void
  danger?: boolean
  disabled?: boolean
}

/** The menu of a group or a pin. It is part of the first load, so it does without the component library. */
export function Actions({ name, actions }: { name: string; actions: readonly Action[] }) {
  return (
    <Popover
      label={`Actions for ${name}`}
      button={<IconDots size={16} stroke={1.75} aria-hidden />}
      buttonClass={classNames(styles.tool, styles.more)}
    >
      {(close) => (
        <div className={menu.menu}>
          {actions.map(({ label, icon: ActionIcon, act, danger, disabled }) => (
            <button
              key={label}
              type="button"
              disabled={disabled}
              className={classNames(menu.item, danger && menu.danger)}
              onClick={() => {
                close()
                act()
              }}
            >
              <ActionIcon size={16} stroke={1.75} aria-hidden /> {label}
            </button>
          ))}
        </div>
      )}
    </Popover>
  )
}
