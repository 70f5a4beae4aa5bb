import type { Action } from '@quayside/contract/deployments/endpoints'
import IconCircleDashedCheck from '@tabler/icons-react/dist/esm/icons/IconCircleDashedCheck.mjs'
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs'
import { Link } from '@tanstack/react-router'
import { useRunningActions } from '../../api/deployments/actions.ts'
import { useEndAction } from '../../api/deployments/end-action.ts'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { useOpens } from '../../api/permissions/my-scopes.ts'
import { GuardedIconButton } from '../../ui/actions/guarded-button.tsx'
import { Popover } from '../../ui/layout/popover.tsx'
import list from '../../ui/layout/popover-list.module.css'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Spinner } from '../../ui/states/spinner.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './running-actions.module.css'

/** How many deployments run now, and a list to open each again. */
export function RunningActions() {
  const sees = useOpens()('cloud-automation')
  const running = useRunningActions(sees)
  if (!sees) return null
  const actions = running.data ?? []
  const label = actions.length === 0 ? 'No running actions' : `${actions.length} running`
  return (
    <Popover
      label={label}
      buttonClass={actions.length === 0 ? styles.quiet : styles.busy}
      button={
        actions.length === 0 ? (
          <IconCircleDashedCheck size={18} stroke={1.75} aria-hidden />
        ) : (
          <>
            <Spinner size={14} />
            <span className="ltr">
              {actions.length} <span className={styles.running}>running</span>
            </span>
          </>
        )
      }
    >
      {(close) =>
        running.error !== null ? (
          <ErrorPanel error={running.error} name="Running actions" onRetry={() => void running.refetch()} />
        ) : (
          <>
            <RunningList actions={actions} close={close} />
            {sees && (
              <Link to="/cloud-automation" className={list.all} onClick={close}>
                All actions
              </Link>
            )}
          </>
        )
      }
    </Popover>
  )
}

function RunningList({ actions, close }: { actions: readonly Action[]; close: () => void }) {
  const { open } = useWizards()
  const end = useEndAction()
  if (actions.length === 0)
    return <EmptyState title="Nothing is running" text="Deployments show up here while they run." />
  return (
    <ul className={list.list}>
      {actions.map((action) => (
        <li key={action.id} className={styles.entry}>
          <button
            type="button"
            className={list.entry}
            onClick={() => {
              close()
              void open({ kind: 'follow', actionId: action.id })
            }}
          >
            <Spinner size={14} />
            <span className={list.what}>
              <strong className="ltr">
                {action.kind} <bdi>{action.appName}</bdi>
              </strong>
              <span className="ltr">
                <bdi>{action.spaceName ?? '–'}</bdi> · <bdi>{action.clusterName ?? '–'}</bdi> · {action.state}
              </span>
            </span>
            <RelativeTime at={action.acceptedAt} />
          </button>
          <EndAction action={action} end={end(action)} close={close} />
        </li>
      ))}
    </ul>
  )
}

function EndAction({
  action,
  end,
  close,
}: {
  action: Action
  end: ReturnType<ReturnType<typeof useEndAction>>
  close: () => void
}) {
  if (end === undefined) return null
  return (
    <GuardedIconButton
      {...end.right}
      icon={IconPlayerStop}
      label={`${end.label} ${action.kind} of ${action.appName}`}
      onClick={() => {
        close()
        void end.end()
      }}
    />
  )
}
