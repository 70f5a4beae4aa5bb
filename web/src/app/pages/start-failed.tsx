import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { useReloadWhenBack } from '../reload-when-back.ts'
import { Mark } from '../shell/mark.tsx'
import styles from './start-failed.module.css'

/** The portal or its identity server cannot be reached, or refuses: said before there is any shell. */
export function StartFailed({ error }: { error: unknown }) {
  useReloadWhenBack(error)
  return (
    <main className={styles.page}>
      <h1 className={styles.brand}>
        <Mark /> Quayside
      </h1>
      <ErrorPanel error={error} name="Quayside" onRetry={() => window.location.reload()} />
    </main>
  )
}
