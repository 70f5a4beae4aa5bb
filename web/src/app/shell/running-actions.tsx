import IconCircleDashedCheck from '@tabler/icons-react/dist/esm/icons/IconCircleDashedCheck.mjs'
import { Link } from '@tanstack/react-router'
import { useRunningActions } from '../../api/deployments/actions.ts'
import { useOpens } from '../../api/permissions/my-scopes.ts'
import { Popover } from '../../ui/layout/popover.tsx'
import list from '../../ui/layout/popover-list.module.css'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { lazily } from '../../ui/states/lazily.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { Spinner } from '../../ui/states/spinner.tsx'
import styles from './running-actions.module.css'

const RunningList = lazily(() => import('./running-list.tsx').then((module) => module.RunningList), <Loading />)

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
