import type { App } from '@quayside/contract/apps/endpoints'
import { isWaiting, useEndAction } from '../../api/deployments/end-action.ts'
import { useRunningActionOf } from '../../api/deployments/ledger.ts'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { Spinner } from '../../ui/states/spinner.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './running-action.module.css'

/** Says on the page of an app what is being done with it, with the way to look on and, while it waits, back. */
export function RunningAction({ app }: { app: App }) {
  const { open } = useWizards()
  const endOf = useEndAction()
  const isBusy = app.state === 'deploying' || app.state === 'deleting'
  const action = useRunningActionOf(app.id, isBusy).data
  if (!isBusy || action == null) return null
  const waits = isWaiting(action)
  const end = endOf(action)
  return (
    <section className={styles.running} aria-label="Running action">
      <Spinner size={16} />
      <p>
        <bdi>
          <strong>
            {action.kind} {waits ? 'waits for its turn' : action.abortedBy === null ? 'is running' : 'is being aborted'}
          </strong>{' '}
          – started by <bdi>{action.startedBy}</bdi> <RelativeTime at={action.acceptedAt} />
        </bdi>
      </p>
      {end !== undefined && (
        <GuardedButton {...end.right} onClick={() => void end.end()}>
          {end.label}
        </GuardedButton>
      )}
      <Button onClick={() => void open({ kind: 'follow', actionId: action.id })}>Follow live</Button>
    </section>
  )
}
