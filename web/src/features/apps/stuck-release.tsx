import type { App } from '@quayside/contract/apps/endpoints'
import type { ReleaseLock } from '@quayside/contract/clusters/release-lock'
import type { Revision } from '@quayside/contract/deployments/endpoints'
import { useRevisions } from '../../api/deployments/releases.ts'
import { useRepairToTheEnd } from '../../api/deployments/repair.ts'
import { inApp, useGuard } from '../../api/permissions/my-scopes.ts'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { AlertNote } from '../../ui/states/alert-note.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'

/** Says why Helm refuses to touch a release that somebody outside holds, whether they seem to live, and offers to free it. */
export function StuckRelease({ app }: { app: App }) {
  const revisions = useRevisions(app.id)
  const newest = revisions.data?.[0]
  // An action of this portal that works on the app says so itself.
  if (newest?.lock == null || app.state === 'deploying' || app.state === 'deleting') return null
  return <Stuck app={app} newest={newest} lock={newest.lock} />
}

function Stuck({ app, newest, lock }: { app: App; newest: Revision; lock: ReleaseLock }) {
  const right = useGuard()('app.repair', `repair ${app.displayName}`, inApp(app))
  const repair = useRepairToTheEnd(app.id)
  const what = `Revision ${newest.revision} is marked as failed, so that the app can be upgraded, rolled back and deleted again.`
  const start = () => repair.mutate({ what, lock })
  const who = newest.startedBy ?? 'Somebody outside this portal'
  return (
    <>
      <AlertNote
        tone="warn"
        title={
          <>
            {lock.isDead ? 'The release is locked' : 'Helm is probably running'}: revision {newest.revision} is{' '}
            {newest.status}
          </>
        }
        action={
          <GuardedButton {...right} onClick={start} disabled={repair.isPending}>
            {repair.isPending ? 'Repairing' : 'Repair'}
          </GuardedButton>
        }
      >
        <p>
          <bdi>{who}</bdi> began it <RelativeTime at={lock.since} />, and something last moved{' '}
          <RelativeTime at={lock.movedAt} /> (<bdi>{newest.description}</bdi>).{' '}
          {lock.isDead
            ? 'Nobody seems to be working on it any more. Helm refuses every other change until the release is repaired.'
            : 'Helm refuses every other change until it has finished. Repair the release only when you are sure that nobody is working on it any more.'}
        </p>
      </AlertNote>
      {repair.error !== null && <ErrorPanel error={repair.error} name="Repair" onRetry={start} />}
    </>
  )
}
