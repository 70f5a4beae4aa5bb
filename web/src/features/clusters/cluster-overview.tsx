import type { Cluster } from '@quayside/contract/clusters/endpoints'
import { useHealth } from '../../api/clusters/cluster.ts'
import { formatBytes, formatCpu } from '../../lib/quantities.ts'
import { CopyableId } from '../../ui/actions/copyable-id.tsx'
import { FactList, Panel } from '../../ui/layout/panel.tsx'
import layout from '../../ui/lists/columns.module.css'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { Meter } from '../../ui/states/meter.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './cluster-overview.module.css'
import { Provider, simulatedWords } from './provider.tsx'

export function ClusterOverview({ cluster }: { cluster: Cluster }) {
  const { requested, capacity } = cluster
  const meters = [
    ['CPU requested', requested.cpuMillis, capacity.cpuMillis, formatCpu],
    ['Memory requested', requested.memoryBytes, capacity.memoryBytes, formatBytes],
    ['Pods', requested.pods, capacity.pods, String],
  ] as const
  return (
    <div className={layout.columns}>
      <div className={layout.stack}>
        {cluster.simulated && (
          <p className={styles.note}>
            <bdi>{simulatedWords}</bdi>
          </p>
        )}
        <HealthPanel cluster={cluster} />
      </div>
      <div className={layout.stack}>
        <Panel title="Capacity">
          <FactList
            facts={meters.map(([name, used, of, write]) => ({
              name,
              value: <Meter label={name} used={used} of={of} text={`${write(used)} of ${write(of)}`} />,
            }))}
          />
        </Panel>
        <Panel title="About">
          <FactList
            facts={[
              { name: 'Provider', value: <Provider cluster={cluster} /> },
              { name: 'Version', value: <code>{cluster.version ?? '–'}</code> },
              { name: 'API server', value: <CopyableId id={cluster.server} label="address" /> },
              {
                name: 'Nodes ready',
                value: <span className="ltr">{`${cluster.nodes.ready} of ${cluster.nodes.total}`}</span>,
              },
              { name: 'Apps', value: cluster.appCount },
              { name: 'Spaces', value: cluster.spaceCount },
              { name: 'Objects outside the space', value: cluster.clusterScoped ? 'Allowed' : 'Refused' },
              { name: 'Checked', value: <RelativeTime at={cluster.checkedAt} /> },
              { name: 'Added', value: <RelativeTime at={cluster.createdAt} /> },
            ]}
          />
        </Panel>
      </div>
    </div>
  )
}

function HealthPanel({ cluster }: { cluster: Cluster }) {
  const health = useHealth(cluster.id)
  return (
    <Panel title="Health checks" flush aside={<StateBadge state={cluster.health} />}>
      {health.error !== null && (
        <ErrorPanel error={health.error} name="Health checks" onRetry={() => void health.refetch()} />
      )}
      {health.isLoading && <Loading />}
      <ul className={styles.checks}>
        {health.data?.checks.map((check) => (
          <li key={check.name}>
            <StateBadge state={check.state} label={check.state === 'ok' ? 'OK' : undefined} />
            <strong>{check.name}</strong>
            <bdi className={styles.message}>{check.message}</bdi>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
