import { ClusterPage } from '../../features/clusters/cluster-page.tsx'
import { KubeconfigList } from '../../features/clusters/kubeconfigs/kubeconfig-list.tsx'

/** A cluster with the kubeconfigs that reach it. */
export function ClusterWithKubeconfigs() {
  return <ClusterPage kubeconfigs={(id) => <KubeconfigList reach={{ of: 'cluster', id }} />} />
}
