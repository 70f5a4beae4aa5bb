import type { PanelData } from '@quayside/contract/dashboards/query'
import { Link } from '@tanstack/react-router'
import { Meter } from '../../../ui/states/meter.tsx'
import { StateBadge } from '../../../ui/states/state-badge.tsx'
import { FigureTable } from './figure-table.tsx'
import { Missing, Note } from './note.tsx'
import styles from './panels.module.css'

type Of<K extends PanelData['kind']> = Extract<PanelData, { kind: K }>
const cores = (millis: number) => (millis / 1000).toFixed(1)
const gibibytes = (bytes: number) => (bytes / 2 ** 30).toFixed(1)

/** Clusters with their health, their nodes and what is requested of them. */
export function ClusterMap({ clusters, asTable }: Pick<Of<'ClusterMap'>, 'clusters'> & { asTable: boolean }) {
  if (clusters.length === 0) return <Note text="No cluster is registered yet." />
  if (asTable)
    return (
      <FigureTable
        label="Clusters"
        titles={['Cluster', 'Health', 'Nodes ready', 'Cores requested', 'GiB requested']}
        rows={clusters.map(({ displayName, health, nodes, requested, capacity }) => [
          displayName,
          health,
          `${nodes.ready} of ${nodes.total}`,
          `${cores(requested.cpuMillis)} of ${cores(capacity.cpuMillis)}`,
          `${gibibytes(requested.memoryBytes)} of ${gibibytes(capacity.memoryBytes)}`,
        ])}
      />
    )
  return (
    <ul className={styles.clusters}>
      {clusters.map(({ id, displayName, health, nodes, capacity, requested }) => (
        <li key={id}>
          <span className={styles.line}>
            <Link to="/clusters/$clusterId" params={{ clusterId: id }}>
              <bdi>{displayName}</bdi>
            </Link>
            <StateBadge state={health} />
            <bdi className={styles.about}>
              {nodes.ready} of {nodes.total} nodes ready
            </bdi>
          </span>
          <Meter
            label={`Cores requested on ${displayName}`}
            used={requested.cpuMillis}
            of={capacity.cpuMillis}
            text={`${cores(requested.cpuMillis)} of ${cores(capacity.cpuMillis)} cores`}
          />
          <Meter
            label={`Memory requested on ${displayName}`}
            used={requested.memoryBytes}
            of={capacity.memoryBytes}
            text={`${gibibytes(requested.memoryBytes)} of ${gibibytes(capacity.memoryBytes)} GiB`}
          />
        </li>
      ))}
    </ul>
  )
}

/** Usage of a space against its quotas. */
export function SpaceQuota({ data, asTable }: { data: Of<'SpaceQuota'>; asTable: boolean }) {
  const { quotas, missing } = data
  if (quotas.length === 0 && missing.length === 0) return <Note text="This space has no quota on its clusters." />
  return (
    <>
      <Missing clusters={missing} />
      {quotas.length > 0 && <Quotas quotas={quotas} asTable={asTable} />}
    </>
  )
}

function Quotas({ quotas, asTable }: Pick<Of<'SpaceQuota'>, 'quotas'> & { asTable: boolean }) {
  if (asTable)
    return (
      <FigureTable
        label="Quota of the space"
        titles={['Resource', 'Cluster', 'Used', 'Allowed']}
        rows={quotas.map(({ resource, clusterName, used, hard }) => [resource, clusterName, used, hard])}
      />
    )
  return (
    <ul className={styles.clusters}>
      {quotas.map(({ resource, clusterName, used, hard, share }) => (
        <li key={`${clusterName} ${resource}`}>
          <span className={styles.line}>
            <bdi>{resource}</bdi>
            <bdi className={styles.about}>{clusterName}</bdi>
          </span>
          <Meter label={`${resource} on ${clusterName}`} used={share} of={1} text={`${used} of ${hard}`} />
        </li>
      ))}
    </ul>
  )
}
