import type { App } from '@quayside/contract/apps/endpoints'
import type { WorkloadLimits } from '@quayside/contract/clusters/scaling'
import type { Container } from '../../../api/clusters/scaling.ts'
import { inApp, useGuard } from '../../../api/permissions/my-scopes.ts'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { FactList, Panel } from '../../../ui/layout/panel.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { StateBadge } from '../../../ui/states/state-badge.tsx'
import styles from './app-scaling.module.css'

interface Props {
  app: App
  workload: WorkloadLimits
  busy: boolean
  onScale: () => void
  onLimits: (container: Container) => void
  onRestart: () => void
}

/** One workload with its containers, and the ways to change it. */
export function WorkloadPanel({ app, workload, busy, onScale, onLimits, onRestart }: Props) {
  const { kind, name, state, replicas, ready, released, autoscaler } = workload
  const right = useGuard()('app.scale', `change ${name}`, inApp(app))
  const isScalable = replicas !== null && autoscaler === null
  return (
    <Panel
      title={`${kind} ${name}`}
      aside={
        <span className={styles.buttons}>
          {isScalable && (
            <GuardedButton small {...right} disabled={busy} onClick={onScale}>
              Scale
            </GuardedButton>
          )}
          <GuardedButton small {...right} disabled={busy} onClick={onRestart}>
            Restart
          </GuardedButton>
        </span>
      }
    >
      <FactList
        facts={[
          { name: 'State', value: <StateBadge state={state} /> },
          {
            name: 'Replicas',
            value: (
              <>
                <bdi>{replicas === null ? `${ready} ready, one on each node` : `${ready} of ${replicas} ready`}</bdi>
                {replicas !== null && <Released now={String(replicas)} released={released.replicas?.toString()} />}
                {autoscaler !== null && (
                  <span className={styles.released}>
                    <bdi>Set by the autoscaler {autoscaler}</bdi>
                  </span>
                )}
              </>
            ),
          },
        ]}
      />
      <DataTable
        sorts="all rows are here"
        label={`Containers of ${name}`}
        columns={containerColumns}
        rows={workload.containers}
        rowKey={(container) => container.name}
        rowMenu={(container) => [{ label: 'Set limits', disabled: busy, right, onSelect: () => onLimits(container) }]}
        empty={<EmptyState title="No containers" text="The cluster tells of no containers in this workload." />}
      />
    </Panel>
  )
}

/** Says that the next upgrade changes a value that differs from the release's. */
function Released({ now, released }: { now: string; released: string | null | undefined }) {
  if (released === undefined || released === null || released === now) return null
  return (
    <span className={styles.released}>
      <bdi>{`The next upgrade sets this back to ${released}`}</bdi>
    </span>
  )
}

const amount = (
  key: string,
  title: string,
  side: 'requests' | 'limits',
  resource: 'cpu' | 'memory',
): Column<Container> => ({
  key,
  title,
  cell: (container) => {
    const now = container[side][resource]
    return (
      <span className={styles.amount}>
        <bdi>{now ?? 'Not set'}</bdi>
        <Released now={now ?? ''} released={container.released[side][resource]} />
      </span>
    )
  },
})

const containerColumns: readonly Column<Container>[] = [
  { key: 'name', title: 'Container', cell: ({ name }) => <code className="ltr">{name}</code> },
  amount('cpu-request', 'CPU request', 'requests', 'cpu'),
  amount('cpu-limit', 'CPU limit', 'limits', 'cpu'),
  amount('memory-request', 'Memory request', 'requests', 'memory'),
  amount('memory-limit', 'Memory limit', 'limits', 'memory'),
]
