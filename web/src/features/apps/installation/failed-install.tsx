import type { App } from '@quayside/contract/apps/endpoints'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { Link } from '@tanstack/react-router'
import { useFailedInstall, useRetryAction } from '../../../api/deployments/ledger.ts'
import { useWizards } from '../../../api/deployments/wizards.tsx'
import { actionControl, ofAction, useGuard } from '../../../api/permissions/my-scopes.ts'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { AlertNote } from '../../../ui/states/alert-note.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'

/** Tells whether an app has never run: its first installation has failed. */
export const hasNeverRun = ({ state, releaseName, revision }: App) =>
  state === 'failed' && releaseName !== null && revision === null

/** Says why the first installation has failed, and leads to the next try with the same values. */
export function FailedInstall({ app }: { app: App }) {
  const failed = useFailedInstall(app.id).data
  const retry = useRetryAction()
  const guard = useGuard()
  const { open } = useWizards()
  if (failed === undefined || failed === null) return null
  const again = async () => {
    const { actionId } = await retry.mutateAsync(failed.id)
    await open({ kind: 'follow', actionId })
  }
  return (
    <>
      <AlertNote
        tone="bad"
        title="The first installation failed"
        action={
          <GuardedButton
            look="primary"
            icon={IconRefresh}
            {...guard(actionControl('retry', failed), `install ${app.displayName} again`, ofAction(failed))}
            busy={retry.isPending}
            onClick={() => void again().catch(() => undefined)}
          >
            Try again
          </GuardedButton>
        }
      >
        <p>
          <bdi>{app.stateMessage ?? failed.result?.summary ?? 'The log says why.'}</bdi>
        </p>
        <p>
          <bdi>
            Try again with the same values, upgrade with other ones, or{' '}
            <Link to="/cloud-automation/$actionId" params={{ actionId: failed.id }}>
              read the log
            </Link>
            .
          </bdi>
        </p>
      </AlertNote>
      {retry.error !== null && <ErrorPanel error={retry.error} name="Try again" />}
    </>
  )
}
