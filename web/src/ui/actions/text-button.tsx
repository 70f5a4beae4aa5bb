import type { ComponentProps } from 'react'
import styles from './text-button.module.css'

/** A button among the words of a line, in the look of a link. */
export function TextButton(props: Omit<ComponentProps<'button'>, 'type' | 'className'>) {
  return <button type="button" {...props} className={styles.button} />
}
