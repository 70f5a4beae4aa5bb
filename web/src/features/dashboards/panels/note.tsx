import styles from './panels.module.css'

/** A sentence in place of the data of a panel. */
export function Note({ text, isFailed = false }: { text: string; isFailed?: boolean }) {
  return (
    <p className={isFailed ? styles.failed : styles.note} role={isFailed ? 'alert' : undefined}>
      <bdi>{text}</bdi>
    </p>
  )
}
