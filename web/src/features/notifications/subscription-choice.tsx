import type { Subscriptions } from '@quayside/contract/notifications/endpoints'
import { useSetSubscriptions, useSubscriptions } from '../../api/notifications/notifications.ts'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import styles from './subscription-choice.module.css'

const words: Readonly<Record<keyof Subscriptions, string>> = {
  'action-failed': 'An action failed: one of yours, or in a space where you may act',
  'app-unhealthy': 'An app that you see is unhealthy',
  'app-healthy': 'An app that you see is healthy again',
  'token-expiring': 'A personal token of yours expires within a week',
}

/** The kinds of news that the person wants in their inbox. */
export function SubscriptionChoice() {
  const chosen = useSubscriptions()
  const choose = useSetSubscriptions()
  const now = choose.isPending ? choose.variables : chosen.data
  if (chosen.error !== null && now === undefined)
    return <ErrorPanel error={chosen.error} name="Notifications" onRetry={() => void chosen.refetch()} />
  return (
    <Panel title="Notifications">
      {now === undefined ? (
        <Loading />
      ) : (
        <div className={styles.kinds}>
          {(Object.keys(words) as (keyof Subscriptions)[]).map((kind) => (
            <Checkbox
              key={kind}
              checked={now[kind]}
              disabled={choose.isPending}
              onChange={(wanted) => choose.mutate({ ...now, [kind]: wanted })}
            >
              {words[kind]}
            </Checkbox>
          ))}
          {choose.error !== null && <ErrorPanel error={choose.error} name="Notifications" />}
        </div>
      )}
    </Panel>
  )
}
