import type { App } from '@quayside/contract/apps/endpoints'
import type { ReleaseLock } from '@quayside/contract/clusters/release-lock'
import type { Revision } from '@quayside/contract/deployments/endpoints'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { appsKey } from '../../api/apps.ts'
import { actionsKey } from '../../api/deployments/actions.ts'
import { waitForAction } from '../../api/deployments/ledger.ts'
import { useRevisions } from '../../api/deployments/releases.ts'
import { useRepair } from '../../api/deployments/repair.ts'
import { inApp, useGuard } from '../../api/permissions/my-scopes.ts'
import { usePortal } from '../../lib/portal.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './stuck-release.module.css'

/** Says why Helm refuses to touch a release that somebody outside holds, whether they seem to live, and offers to free it. */
export function StuckRelease({ app }: { app: App }) {
  const revisions = useRevisions(app.id)
  const newest = revisions.data?.[0]
  // An action of this portal that works on the app says so itself.
  if (newest?.lock == null || app.state === 'deploying' || app.state === 'deleting') return null
  return <Stuck app={app} newest={newest} lock={newest.lock} />
}

function Stuck({ app, newest, lock }: { app: App; newest: Revision; lock: ReleaseLock }) {
  const { api } = usePortal()
  const queries = useQueryClient()
  const ask = useRepair()
  const right = useGuard()('app.repair', `repair ${app.displayName}`, inApp(app))
  const repair = useMutation({
    async mutationFn() {
      const what = `Revision ${newest.revision} is marked as failed, so that the app can be upgraded, rolled back and deleted again.`
      const actionId = await ask(app.id, what, lock)
      if (actionId === undefined) return
      const ended = await waitForAction(api, actionId, 60)
      if (ended.state === 'Failed') throw new Error(ended.result?.summary ?? 'The repair failed')
    },
    onSettled: () => Promise.all([appsKey, actionsKey].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
  const who = newest.startedBy ?? 'Somebody outside of this portal'
  return (
    <>
      <div role="alert" className={styles.stuck}>
        <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
        <div className={styles.words}>
          <strong>
            {lock.isDead ? 'The release is locked' : 'Helm probably is at work'}: revision {newest.revision} is{' '}
            {newest.status}
          </strong>
          <p>
            <bdi>{who}</bdi> began it <RelativeTime at={lock.since} />, and something last moved{' '}
            <RelativeTime at={lock.movedAt} /> (<bdi>{newest.description}</bdi>).{' '}
            {lock.isDead
              ? 'Nobody seems to work on it any more. Until it is freed, Helm refuses every other change.'
              : 'Until it ends, Helm refuses every other change. Repair it only when you know that nobody is at work any more.'}
          </p>
        </div>
        <GuardedButton {...right} onClick={() => repair.mutate()} disabled={repair.isPending}>
          {repair.isPending ? 'Repairing' : 'Repair'}
        </GuardedButton>
      </div>
      {repair.error !== null && <ErrorPanel error={repair.error} name="Repair" onRetry={() => repair.mutate()} />}
    </>
  )
}
