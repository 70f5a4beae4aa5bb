import { useQuery } from '@tanstack/react-query'
import { actionQuery } from '../../../api/deployments/ledger.ts'
import { useWizards, type WizardRequest, type WizardResult } from '../../../api/deployments/wizards.tsx'
import { inApp, useGuard } from '../../../api/permissions/my-scopes.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { texts } from '../texts.ts'
import styles from './left-behind.module.css'
import { hasSucceeded, type Progress } from './progress.ts'

const t = texts.leftBehind

interface Props {
  progress: Progress
  /** The app, when it is there and may be opened. */
  appId: string | undefined
  result: WizardResult
}

/** Asks what is to become of what an action whose Helm was ended has left: roll back, delete, or keep. */
export function LeftBehind({ progress, appId, result }: Props) {
  const { api } = usePortal()
  const { close, open } = useWizards()
  const guard = useGuard()
  const { actionId, ended } = progress
  const isAsked = actionId !== undefined && appId !== undefined && ended && !hasSucceeded(progress)
  const { data: action } = useQuery({ ...actionQuery(api, actionId ?? ''), enabled: isAsked, retry: false })
  const left = action?.leftBehind
  if (!isAsked || !left || left.release === 'deployed') return null
  const where = inApp({ id: appId, spaceId: action.spaceId ?? '' })
  const go = (request: WizardRequest) => {
    close(result)
    void open(request)
  }
  const { rollbackTo: revision, release } = left
  return (
    <section className={styles.left} aria-label={t.heading}>
      <h3>{t.heading}</h3>
      <p>{revision === null ? t.textFirst : t.text}</p>
      <div className={styles.ways}>
        {revision !== null && (
          <GuardedButton
            {...guard('app.rollback', `roll back ${action.appName}`, where)}
            onClick={() => go({ kind: 'rollback', appId, revision })}
          >
            {t.rollBack.replace('{n}', String(revision))}
          </GuardedButton>
        )}
        <GuardedButton
          {...guard(release === 'none' ? 'app.delete-assigned' : 'app.delete', `delete ${action.appName}`, where)}
          look="danger"
          onClick={() => go({ kind: 'delete', appId })}
        >
          {t.remove}
        </GuardedButton>
        <Button onClick={() => close(result)}>{t.keep}</Button>
      </div>
    </section>
  )
}
