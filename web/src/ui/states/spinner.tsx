import styles from './spinner.module.css'

/** A turning arc; whoever shows it also says in words what goes on. */
export function Spinner({ size = 16 }: { size?: number }) {
  return <span className={styles.spinner} style={{ inlineSize: size, blockSize: size }} aria-hidden="true" />
}
