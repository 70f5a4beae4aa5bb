import type { App } from '@quayside/contract/portal-api'
import { isWaiting, useCancelAction } from '../../api/cancel-action.ts'
import { useRunningActionOf } from '../../api/ledger.ts'
import { useWizards } from '../../api/wizards.tsx'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './running-action.module.css'

/** Says on the page of an app what is being done with it, with the way to look on and, while it waits, back. */
export function RunningAction({ app }: { app: App }) {
  const { open } = useWizards()
  const cancel = useCancelAction()
  const isBusy = app.state === 'deploying' || app.state === 'deleting'
  const action = useRunningActionOf(app.id, isBusy).data
  if (!isBusy || action == null) return null
  const waits = isWaiting(action)
  const takeBack = cancel(action)
  return (
    <section className={styles.running} aria-label="Running action">
      <Spinner size={16} />
      <p>
        <bdi>
          <strong>
            {action.kind} {waits ? 'waits for its turn' : 'is running'}
          </strong>{' '}
          – started by <bdi>{action.startedBy}</bdi> <RelativeTime at={action.acceptedAt} />
        </bdi>
      </p>
      {takeBack !== undefined && <Button onClick={() => void takeBack()}>Cancel</Button>}
      <Button onClick={() => void open({ kind: 'follow', actionId: action.id })}>Follow live</Button>
    </section>
  )
}
