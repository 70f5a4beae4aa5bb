import type { PanelData } from '@quayside/contract/dashboards/query'
import { StateBadge } from '../../../ui/states/state-badge.tsx'
import { stateLookOf } from '../../../ui/states/state-look.ts'
import { FigureTable } from './figure-table.tsx'
import styles from './panels.module.css'

interface Props {
  data: Extract<PanelData, { kind: 'AppStates' }>
  asTable: boolean
}

/** How many apps are in each state. */
export function AppStates({ data: { total, states }, asTable }: Props) {
  if (asTable)
    return (
      <FigureTable
        label="Apps by state"
        titles={['State', 'Apps']}
        rows={states.map(({ state, count }) => [stateLookOf(state).word, count])}
      />
    )
  return (
    <div className={styles.states}>
      <p className={styles.total}>
        <bdi>
          <strong>{total}</strong> {total === 1 ? 'app' : 'apps'}
        </bdi>
      </p>
      {total > 0 && (
        <div className={styles.bar} aria-hidden="true">
          {states.map(({ state, count }) => (
            <span key={state} className={styles[stateLookOf(state).look]} style={{ flexGrow: count }} />
          ))}
        </div>
      )}
      <ul className={styles.legend}>
        {states.map(({ state, count }) => (
          <li key={state}>
            <StateBadge state={state} /> <bdi className={styles.count}>{count}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
