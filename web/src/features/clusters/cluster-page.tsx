import type { Cluster } from '@quayside/contract/clusters/endpoints'
import IconPlugConnectedX from '@tabler/icons-react/dist/esm/icons/IconPlugConnectedX.mjs'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCluster } from '../../api/clusters/cluster.ts'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useWhy } from '../../api/permissions/why.tsx'
import { usePin } from '../../api/pins.tsx'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { CopyableId } from '../../ui/actions/copyable-id.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { PinButton } from '../../ui/actions/pin-button.tsx'
import { TextButton } from '../../ui/actions/text-button.tsx'
import { DetailHeader } from '../../ui/layout/detail-header.tsx'
import { UrlTabs } from '../../ui/layout/url-tabs.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { ClusterEvents } from './cluster-events.tsx'
import { ClusterOverview } from './cluster-overview.tsx'
import { ClusterRules } from './cluster-rules.tsx'
import { ClusterSpaces } from './cluster-spaces.tsx'
import { ClusterStorage } from './cluster-storage.tsx'
import { ClusterNodes } from './nodes/cluster-nodes.tsx'
import { useRemoveCluster } from './use-remove-cluster.tsx'

interface Props {
  /** The content of the tab of kubeconfigs. */
  kubeconfigs: (clusterId: string) => ReactNode
  /** The content of the Metrics tab. */
  metrics: (cluster: Cluster) => ReactNode
}

export function ClusterPage({ kubeconfigs, metrics }: Props) {
  const { clusterId } = useParams({ from: '/clusters/$clusterId' })
  const cluster = useCluster(clusterId)
  usePageTitle(cluster.data?.displayName)
  if (cluster.error !== null)
    return <ErrorPanel error={cluster.error} name="Cluster" onRetry={() => void cluster.refetch()} />
  if (cluster.data === undefined) return <Loading />
  return <Detail cluster={cluster.data} kubeconfigs={kubeconfigs(clusterId)} metrics={metrics(cluster.data)} />
}

type DetailProps = { cluster: Cluster; kubeconfigs: ReactNode; metrics: ReactNode }

function Detail({ cluster, kubeconfigs, metrics }: DetailProps) {
  const [{ tab }] = useUrlState()
  const remove = useRemoveCluster()
  const guard = useGuard()
  const { open } = useWhy()
  const { id, displayName } = cluster
  const hidden = {
    kubeconfigs: guard('cluster.kubeconfigs', `see the kubeconfigs of ${displayName}`),
    events: guard('cluster.events', `see the events of ${displayName}`),
  }
  const tabs = [
    { value: 'overview', title: 'Overview', panel: <ClusterOverview cluster={cluster} />, shown: true },
    { value: 'nodes', title: 'Nodes', panel: <ClusterNodes id={cluster.id} />, shown: true },
    { value: 'metrics', title: 'Metrics', panel: metrics, shown: true },
    { value: 'storage', title: 'Storage classes', panel: <ClusterStorage id={cluster.id} />, shown: true },
    { value: 'spaces', title: 'Spaces', panel: <ClusterSpaces id={cluster.id} />, shown: true },
    { value: 'outside', title: 'Outside spaces', panel: <ClusterRules id={cluster.id} />, shown: true },
    {
      ...{ value: 'kubeconfigs', title: 'Kubeconfigs' },
      panel: hidden.kubeconfigs.allowed === false ? <Refused right={hidden.kubeconfigs} /> : kubeconfigs,
      shown: hidden.kubeconfigs.allowed || tab === 'kubeconfigs',
    },
    {
      ...{ value: 'events', title: 'Events' },
      panel: hidden.events.allowed === false ? <Refused right={hidden.events} /> : <ClusterEvents id={cluster.id} />,
      shown: hidden.events.allowed || tab === 'events',
    },
  ].filter(({ shown }) => shown)
  const pin = usePin({ kind: 'clusters', id: cluster.id, name: cluster.displayName })
  return (
    <>
      <DetailHeader
        title={cluster.displayName}
        below={
          <>
            <CopyableId id={id} label="cluster id" />{' '}
            <TextButton aria-haspopup="dialog" onClick={() => open({ ask: 'all', page: 'clusters/$clusterId' })}>
              What can I do here
            </TextButton>
          </>
        }
        state={<StateBadge state={cluster.health} boxed />}
        actions={
          <>
            <PinButton {...pin} />
            <GuardedButton
              icon={IconPlugConnectedX}
              {...guard('cluster.remove', `deregister ${displayName}`)}
              onClick={() => void remove(cluster)}
            >
              Deregister
            </GuardedButton>
          </>
        }
      />
      <UrlTabs tabs={tabs} />
    </>
  )
}

/** Content of a tab that an address leads to but its reader may not see. */
function Refused({ right }: { right: ReturnType<ReturnType<typeof useGuard>> }) {
  return (
    <EmptyState
      title="You do not have the right to see this"
      action={<GuardedButton {...right}>See why</GuardedButton>}
    />
  )
}
