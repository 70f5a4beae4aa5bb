import type { Action } from '@quayside/contract/deployment'
import type { ListReply } from '@quayside/contract/paging'
import IconCircleDashedCheck from '@tabler/icons-react/dist/esm/icons/IconCircleDashedCheck.mjs'
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLive, usePortal } from '../../lib/portal.tsx'
import { againMs } from '../../lib/query-client.ts'
import { useAccess } from '../../lib/use-access.ts'
import { useWizards } from '../../lib/wizards.tsx'
import { IconButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Popover } from '../../ui/popover.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useCancelAction } from '../../ui/use-cancel-action.ts'
import styles from './running-actions.module.css'

const runningKey = ['actions', 'running']
/** The socket brings news at once; this only catches what a lost connection missed. */
const fallbackMs = 30_000
/** How soon it is seen that an action which can be cancelled has been begun. */
const waitingMs = 3000

/** How many deployments run now, and a list to open each again. */
export function RunningActions() {
  const { api } = usePortal()
  useLive({ topic: 'actions' }, ['actions'])
  const sees = useAccess('apps')
  const running = useQuery({
    queryKey: runningKey,
    enabled: sees,
    queryFn: ({ signal }) =>
      api.get<ListReply<Action>>('/deployment/v1/actions', {
        signal,
        query: { filters: { state: 'running' }, page: { skip: 0, limit: 50 } },
      }),
    refetchInterval: (query) =>
      againMs(query) || (query.state.data?.data.some(({ cancellable }) => cancellable) ? waitingMs : fallbackMs),
  })
  if (!sees) return null
  const actions = running.data?.data.filter(({ kind }) => kind !== 'Assign' && kind !== 'Prepare') ?? []
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
              <Link to="/cloud-automation" className={styles.all} onClick={close}>
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
  const cancel = useCancelAction()
  if (actions.length === 0)
    return <EmptyState title="Nothing is running" text="Deployments show up here while they run." />
  return (
    <ul className={styles.list}>
      {actions.map((action) => (
        <li key={action.id} className={styles.entry}>
          <button
            type="button"
            className={styles.action}
            onClick={() => {
              close()
              void open({ kind: 'follow', actionId: action.id })
            }}
          >
            <Spinner size={14} />
            <span className={styles.what}>
              <strong className="ltr">
                {action.kind} <bdi>{action.appName}</bdi>
              </strong>
              <span className="ltr">
                <bdi>{action.spaceName ?? '–'}</bdi> · <bdi>{action.clusterName ?? '–'}</bdi> · {action.state}
              </span>
            </span>
            <RelativeTime at={action.acceptedAt} />
          </button>
          <TakeBack action={action} cancel={cancel(action)} close={close} />
        </li>
      ))}
    </ul>
  )
}

function TakeBack({
  action,
  cancel,
  close,
}: {
  action: Action
  cancel: (() => Promise<void>) | undefined
  close: () => void
}) {
  if (cancel === undefined) return null
  return (
    <IconButton
      icon={IconPlayerStop}
      label={`Cancel ${action.kind} of ${action.appName}`}
      onClick={() => {
        close()
        void cancel()
      }}
    />
  )
}
