import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import type { ComponentProps } from 'react'
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
