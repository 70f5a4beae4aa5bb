import type { Action } from '@quayside/contract/deployments/endpoints'
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs'
import { useEndAction } from '../../api/deployments/end-action.ts'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { GuardedIconButton } from '../../ui/actions/guarded-button.tsx'
import list from '../../ui/layout/popover-list.module.css'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Spinner } from '../../ui/states/spinner.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './running-actions.module.css'

/** Actions that run now: each opens its wizard again, and can be ended. */
export function RunningList({ actions, close }: { actions: readonly Action[]; close: () => void }) {
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
