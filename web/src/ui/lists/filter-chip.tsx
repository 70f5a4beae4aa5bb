import { Menu } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { longFrom, OptionBox } from '../forms/option-box.tsx'
import { classNames } from '../marks/class-names.ts'
import styles from './filter-chip.module.css'
import '../theme/mantine.css'

interface Props {
  label: string
  /** The chosen value; undefined is Any. */
  value: string | undefined
  options: readonly { value: string; label: string }[]
  onChange: (value: string | undefined) => void
  /** False for a choice that always has a value. */
  any?: boolean
}

/** A filter that reads as a sentence: 'Space Any', 'Space Shop production'. A long list gets a search box. */
export function FilterChip(props: Props) {
  const [open, setOpen] = useState(false)
  // Options that come while the menu is open come into it: what somebody looks at does not vanish.
  const isLong = props.options.length >= longFrom && !open
  return isLong ? <LongChip {...props} /> : <ShortChip {...props} onOpen={setOpen} />
}

const listWidth = 260

function LongChip({ label, value, options, onChange, any = true }: Props) {
  const name = useId()
  const chosen = options.find((option) => option.value === value)
  const content = (
    <span id={name} className={styles.words}>
      {label} <bdi className={styles.value}>{chosen?.label ?? value ?? 'Any'}</bdi>
    </span>
  )
  return (
    <OptionBox
      label={label}
      labelId={name}
      look={{
        className: classNames(styles.chip, any && value !== undefined && styles.active),
        content,
        width: listWidth,
      }}
      options={options}
      value={value}
      none={any}
      noneText="Any"
      onChange={onChange}
    />
  )
}

function ShortChip({
  label,
  value,
  options,
  onChange,
  any = true,
  onOpen,
}: Props & { onOpen: (open: boolean) => void }) {
  const chosen = options.find((option) => option.value === value)
  return (
    <Menu position="bottom-start" onChange={onOpen}>
      <Menu.Target>
        <button type="button" className={classNames(styles.chip, any && value !== undefined && styles.active)}>
          {label} <bdi className={styles.value}>{chosen?.label ?? value ?? 'Any'}</bdi>
        </button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflow: 'auto' }}>
        {any && <Menu.Item onClick={() => onChange(undefined)}>Any</Menu.Item>}
        {options.map((option) => (
          <Menu.Item key={option.value} onClick={() => onChange(option.value)} aria-current={option.value === value}>
            <bdi>{option.label}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

interface ToggleProps {
  label: string
  active: boolean
  onToggle: (active: boolean) => void
  icon?: Icon
  count?: number
}

/** A filter that is on or off: 'Featured 3'. */
export function ToggleChip({ label, active, onToggle, icon: ChipIcon, count }: ToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={active}
      className={classNames(styles.chip, active && styles.active)}
      onClick={() => onToggle(!active)}
    >
      {ChipIcon !== undefined && <ChipIcon size={14} stroke={1.75} aria-hidden />}
      {label}
      {count !== undefined && <bdi>{count}</bdi>}
    </button>
  )
}
