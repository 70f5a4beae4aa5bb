import { ClusterPage } from '../../features/clusters/cluster-page.tsx'
import { KubeconfigList } from '../../features/clusters/kubeconfigs/kubeconfig-list.tsx'
import { lazily } from '../../ui/states/lazily.tsx'
import { Loading } from '../../ui/states/loading.tsx'

const ClusterMetrics = lazily(
  () => import('../../features/metrics/cluster-metrics.tsx').then((module) => module.ClusterMetrics),
  <Loading />,
)

const ClusterCost = lazily(
  () => import('../../features/cost/cluster-cost.tsx').then((module) => module.ClusterCost),
  <Loading />,
)

/** A cluster with the kubeconfigs that reach it, its metrics and what it costs. */
export function ClusterWithKubeconfigs() {
  return (
    <ClusterPage
      kubeconfigs={(id) => <KubeconfigList reach={{ of: 'cluster', id }} />}
      metrics={(cluster) => <ClusterMetrics cluster={cluster} />}
      cost={({ id }) => <ClusterCost clusterId={id} />}
    />
  )
}
