import styles from './loading.module.css'
import { Spinner } from './spinner.tsx'

/** The loading indicator: the word and a spinner. `card` gives it a frame of its own, as in dropdowns. */
export function Loading({ card = false }: { card?: boolean }) {
  return (
    <div className={card ? styles.card : styles.plain} role="status">
      <Spinner />
      <span>Loading</span>
    </div>
  )
}
