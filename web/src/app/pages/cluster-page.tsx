import { ClusterPage } from '../../features/clusters/cluster-page.tsx'
import { KubeconfigList } from '../../features/clusters/kubeconfigs/kubeconfig-list.tsx'
import { lazily } from '../../ui/states/lazily.tsx'
import { Loading } from '../../ui/states/loading.tsx'

const ClusterMetrics = lazily(
  () => import('../../features/metrics/cluster-metrics.tsx').then((module) => module.ClusterMetrics),
  <Loading />,
)

/** A cluster with the kubeconfigs that reach it, and its metrics. */
export function ClusterWithKubeconfigs() {
  return (
    <ClusterPage
      kubeconfigs={(id) => <KubeconfigList reach={{ of: 'cluster', id }} />}
      metrics={(cluster) => <ClusterMetrics cluster={cluster} />}
    />
  )
}
