import type { AppMetadata } from '@quayside/contract/deployments/deploy-data'
import type { ValuesMerge } from '@quayside/contract/deployments/upgrade'
import { useQuery } from '@tanstack/react-query'
import { previewQuery } from '../../../api/deployments/deployments.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import { Changes } from '../../../ui/text/changes.tsx'
import { texts } from '../texts.ts'
import { MergeReport } from '../values/merge/merge-report.tsx'
import styles from './steps.module.css'

interface Props {
  versionId: string
  appMetadata: AppMetadata
  yaml: string
  merge: ValuesMerge | null
}

const names = [texts.diff.deployed, texts.diff.upgraded] as const

/** The changes of the upgrade: how the values were merged, and the difference from the deployed revision. */
export function UpgradeChanges({ versionId, appMetadata, yaml, merge }: Props) {
  const { api } = usePortal()
  const diff = useQuery(previewQuery(api, versionId, { appMetadata, yaml }))
  return (
    <section className={styles.step} aria-label={texts.diff.heading}>
      <h3>{texts.diff.heading}</h3>
      {merge !== null && <MergeReport merge={merge} />}
      {diff.error !== null ? (
        <ErrorPanel error={diff.error} name={texts.diff.heading} onRetry={() => void diff.refetch()} />
      ) : diff.data === undefined ? (
        <Loading card />
      ) : (
        <Changes diff={diff.data} names={names} />
      )}
    </section>
  )
}
