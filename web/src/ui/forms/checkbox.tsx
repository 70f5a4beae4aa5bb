import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../marks/class-names.ts'
import styles from './checkbox.module.css'

interface Props extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  /** A string, or elements that read as one. */
  children: ReactNode
  /** Some of what it stands for is chosen, not all. */
  partial?: boolean
  onChange: (checked: boolean) => void
}

/** A box to tick with its words. */
export function Checkbox({ children, partial = false, onChange, className, ...rest }: Props) {
  return (
    <label className={classNames(styles.tick, className)}>
      <input
        {...rest}
        type="checkbox"
        className={styles.box}
        ref={(box) => {
          if (box !== null) box.indeterminate = partial
        }}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  )
}

/** One choice of several with its words. */
export function Radio({ children, className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <label className={classNames(styles.tick, className)}>
      <input {...rest} type="radio" className={classNames(styles.box, styles.round)} />
      {children}
    </label>
  )
}
