import type { KubeService, Pvc, ServiceAccount, Workload } from '@quayside/contract/clusters/endpoints'
import type { Column } from '../../../ui/lists/data-table.tsx'
import { StateBadge } from '../../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import styles from './app-workloads.module.css'

function State({ state, message }: { state: string; message?: string | null }) {
  return (
    <span className={styles.state}>
      <StateBadge state={state} />
      {message !== null && message !== undefined && (
        <span className={styles.message} title={message}>
          <bdi>{message}</bdi>
        </span>
      )}
    </span>
  )
}

const created = <T extends { createdAt: string }>(): Column<T> => ({
  key: 'created',
  title: 'Created',
  sortBy: ({ createdAt }) => createdAt,
  cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
})
const named = <T extends { name: string }>(): Column<T> => ({
  key: 'name',
  title: 'Name',
  sortBy: ({ name }) => name,
  cell: ({ name }) => <code className="ltr">{name}</code>,
})

export const workloadColumns: readonly Column<Workload>[] = [
  named(),
  { key: 'kind', title: 'Kind', sortBy: ({ kind }) => kind, cell: ({ kind }) => kind },
  {
    key: 'state',
    title: 'State',
    long: true,
    sortBy: ({ state }) => state,
    cell: ({ state, message }) => <State state={state} message={message} />,
  },
  { key: 'ready', title: 'Ready', cell: ({ ready, desired }) => <bdi>{`${ready}/${desired}`}</bdi> },
  { key: 'images', title: 'Images', cell: ({ images }) => <code className="ltr">{images.join(', ')}</code> },
  created(),
]

export const pvcColumns: readonly Column<Pvc>[] = [
  named(),
  {
    key: 'state',
    title: 'State',
    cell: ({ state, message, phase }) => <State state={state} message={message ?? phase} />,
  },
  { key: 'size', title: 'Size', cell: ({ size }) => <bdi>{size ?? '–'}</bdi> },
  {
    key: 'class',
    title: 'Storage class',
    cell: ({ storageClass }) => <code className="ltr">{storageClass ?? '–'}</code>,
  },
  { key: 'modes', title: 'Access', cell: ({ accessModes }) => <bdi>{accessModes.join(', ')}</bdi> },
  created(),
]

export const serviceColumns: readonly Column<KubeService>[] = [
  named(),
  { key: 'type', title: 'Type', cell: ({ type }) => type },
  { key: 'state', title: 'State', cell: ({ state }) => <State state={state} /> },
  { key: 'ip', title: 'Cluster IP', cell: ({ clusterIp }) => <code className="ltr">{clusterIp ?? '–'}</code> },
  {
    key: 'external',
    title: 'External',
    cell: ({ externalAddresses }) => <code className="ltr">{externalAddresses.join(', ') || '–'}</code>,
  },
  { key: 'ports', title: 'Ports', cell: ({ ports }) => <code className="ltr">{ports.map(portText).join(', ')}</code> },
  created(),
]

function portText({ port, nodePort, protocol }: KubeService['ports'][number]): string {
  return `${port}${nodePort === null ? '' : `:${nodePort}`}/${protocol}`
}

export const serviceAccountColumns: readonly Column<ServiceAccount>[] = [
  named(),
  {
    key: 'secrets',
    title: 'Image pull secrets',
    cell: ({ imagePullSecrets }) => <code className="ltr">{imagePullSecrets.join(', ') || '–'}</code>,
  },
  created(),
]
