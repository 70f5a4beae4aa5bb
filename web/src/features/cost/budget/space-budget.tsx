import type { Space } from '@quayside/contract/spaces/endpoints'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { useState } from 'react'
import { useBudget } from '../../../api/cost/budget.ts'
import { inSpace, useGuard } from '../../../api/permissions/my-scopes.ts'
import { actorName } from '../../../lib/actor-name.ts'
import { formatMoney } from '../../../lib/money.ts'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import styles from '../prices/prices.module.css'
import { BudgetDialog } from './budget-dialog.tsx'

/** The budget of a space, and the way to change it. */
export function SpaceBudget({ space }: { space: Pick<Space, 'id' | 'displayName'> }) {
  const budget = useBudget(space.id)
  const [editing, setEditing] = useState(false)
  const right = useGuard()('space.edit', `set the budget of ${space.displayName}`, inSpace(space.id))
  const { data, error } = budget
  return (
    <Panel
      title="Budget"
      aside={
        <GuardedButton small icon={IconPencil} {...right} onClick={() => setEditing(true)}>
          Set budget
        </GuardedButton>
      }
    >
      {error !== null && data === undefined && (
        <ErrorPanel error={error} name="Budget" onRetry={() => void budget.refetch()} />
      )}
      {data === undefined && error === null && <Loading />}
      {data === null && (
        <p className={styles.text}>
          <bdi>No budget. With one, a deployment that goes beyond it asks for a reason.</bdi>
        </p>
      )}
      {data != null && (
        <p className={styles.text}>
          <bdi>
            {formatMoney(data.amount, data.currency)} a month, set by <bdi>{actorName(data.setBy)}</bdi>{' '}
            <RelativeTime at={data.setAt} />
          </bdi>
        </p>
      )}
      {editing && data !== undefined && (
        <BudgetDialog spaceId={space.id} current={data} onClose={() => setEditing(false)} />
      )}
    </Panel>
  )
}
