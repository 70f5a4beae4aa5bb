import { rightWords } from '../../../api/clusters/asked-right-words.ts'
import { useElevation } from '../../../api/clusters/cluster-rules.ts'
import { listed } from '../../../api/permissions/scope-words.ts'
import styles from '../cluster-spaces.module.css'

/** Says on the page of a space where its pods have rights on a whole cluster, and what deploying there takes. */
export function SpaceElevation({ spaceId }: { spaceId: string }) {
  const { data = [] } = useElevation(spaceId)
  return data.map(({ cluster, asksFor }) => (
    <p key={cluster.id} role="note" className={styles.warning}>
      <bdi>
        Whoever runs a pod here has rights on the whole cluster {cluster.displayName}. Deploying there takes{' '}
        {listed(asksFor.map(rightWords))}, and kubeconfigs only read.
      </bdi>
    </p>
  ))
}
