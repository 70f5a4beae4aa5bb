import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { type ComponentProps, useId } from 'react'
import { classNames } from '../marks/class-names.ts'
import field from './field.module.css'
import styles from './select.module.css'

/** The platform's own select in the kit's look, for short lists of plain words. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={classNames(styles.frame, className)}>
      <select {...rest} className={classNames(field.input, styles.select)}>
        {children}
      </select>
      <IconChevronDown size={16} stroke={1.75} aria-hidden className={styles.chevron} />
    </span>
  )
}

interface ChoiceProps<V extends string> {
  label: string
  value: V
  options: readonly { value: V; label: string }[]
  onChange: (value: V) => void
}

/** A choice with its label. */
export function Choice<V extends string>({ label, value, options, onChange }: ChoiceProps<V>) {
  const id = useId()
  return (
    <div className={field.field}>
      <label htmlFor={id} className={field.label}>
        {label}
      </label>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value as V)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    </div>
  )
}
