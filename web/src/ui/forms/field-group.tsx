import type { ComponentProps, ReactNode } from 'react'
import styles from './field-group.module.css'

/** Fields that belong together, in a frame with their name. */
export function FieldGroup({ legend, children, ...rest }: ComponentProps<'fieldset'> & { legend: ReactNode }) {
  return (
    <fieldset {...rest} className={styles.group}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}
