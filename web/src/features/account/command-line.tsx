import { useKubeconfig } from '../../api/clusters/kubeconfig.ts'
import { firstSpaces } from '../../api/spaces.ts'
import { usePortal } from '../../lib/portal.tsx'
import { DownloadButton } from '../../ui/actions/download-button.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import styles from './appearance.module.css'

const mostPlaces = 50

/** A kubeconfig of the person for every space that has a cluster. */
export function CommandLine() {
  const { api, me } = usePortal()
  const kubeconfig = useKubeconfig()
  const load = async () => {
    return kubeconfig.load(await firstSpaces(api, mostPlaces))
  }
  return (
    <Panel title="Command line">
      <p className={styles.note}>
        <bdi>
          A kubeconfig with a context for each of your spaces. It carries your own access and works for an hour.
        </bdi>
      </p>
      <DownloadButton name={`${me().username}.kubeconfig`} load={load} right={kubeconfig.right}>
        Download kubeconfig
      </DownloadButton>
    </Panel>
  )
}
