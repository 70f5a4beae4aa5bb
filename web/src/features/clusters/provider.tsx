import type { Cluster } from '@quayside/contract/clusters/endpoints'
import { Tooltip } from '../../ui/layout/tooltip.tsx'
import styles from './provider.module.css'

export const simulatedWords =
  'The built-in cluster. Its API, Helm releases and objects are real; its workloads are simulated.'

/** The provider of a cluster; the built-in cluster is labelled as simulated. */
export function Provider({ cluster }: { cluster: Pick<Cluster, 'simulated' | 'iaas'> }) {
  if (!cluster.simulated) return <bdi>{cluster.iaas.type}</bdi>
  return (
    <Tooltip text={simulatedWords}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what the tooltip says must be reachable by keyboard. */}
      <span className={styles.sandbox} tabIndex={0}>
        Sandbox <span className={styles.note}>simulated workloads</span>
      </span>
    </Tooltip>
  )
}
