import styles from './panels.module.css'

/** Clusters that did not answer, above what the others report. */
export function Missing({ clusters }: { clusters: readonly string[] }) {
  if (clusters.length === 0) return null
  return (
    <p className={styles.missing}>
      No answer from <bdi>{clusters.join(', ')}</bdi>: what {clusters.length === 1 ? 'it reports' : 'they report'} is
      not shown here.
    </p>
  )
}

/** A sentence in place of the data of a panel. */
export function Note({ text, isFailed = false }: { text: string; isFailed?: boolean }) {
  return (
    <p className={isFailed ? styles.failed : styles.note} role={isFailed ? 'alert' : undefined}>
      <bdi>{text}</bdi>
    </p>
  )
}
