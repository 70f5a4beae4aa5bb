import { texts } from '../texts.ts'
import styles from './steps.module.css'

/** The DATA step, which the specification leaves at this text. */
export function DataStep() {
  return (
    <section aria-label={texts.data.step} className={styles.step}>
      <p className={styles.text}>
        <bdi>{texts.data.text}</bdi>
      </p>
    </section>
  )
}
