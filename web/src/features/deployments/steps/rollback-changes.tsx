import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { compareQuery } from '../../../api/deployments/releases.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import { Changes } from '../../../ui/text/changes.tsx'
import { texts } from '../texts.ts'
import { ChangedValues } from '../values/diff/changed-values.tsx'
import styles from './steps.module.css'

const t = texts.diff

/** The changes that a rollback would make: the difference between the two revisions. */
export function RollbackChanges({ appId, from, to }: { appId: string; from: number; to: number }) {
  const { api } = usePortal()
  const diff = useQuery({ ...compareQuery(api, appId, from, to), placeholderData: keepPreviousData })
  return (
    <section className={styles.step} aria-label={t.overview}>
      <h3>{t.overview}</h3>
      {diff.error !== null ? (
        <ErrorPanel error={diff.error} name={t.overview} onRetry={() => void diff.refetch()} />
      ) : diff.data === undefined ? (
        <Loading card />
      ) : (
        <>
          <ChangedValues {...diff.data.values} defaults="" schema={undefined} isMasked than="deployed" />
          <Changes diff={diff.data} names={[t.now, t.revision.replace('{n}', String(to))]} />
        </>
      )}
    </section>
  )
}
