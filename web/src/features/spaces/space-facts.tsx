import type { Space } from '@quayside/contract/spaces/endpoints'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import { Link } from '@tanstack/react-router'
import { useKubeconfig } from '../../api/clusters/kubeconfig.ts'
import { scopesInWords } from '../../api/permissions/scope-words.ts'
import { useWhy } from '../../api/permissions/why.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { CopyableId } from '../../ui/actions/copyable-id.tsx'
import { DownloadButton } from '../../ui/actions/download-button.tsx'
import { FactList, Panel } from '../../ui/layout/panel.tsx'
import layout from '../../ui/lists/columns.module.css'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './space-facts.module.css'

/** A space's description, the clusters it may use, and the person's rights in it. */
export function SpaceFacts({ space }: { space: Space }) {
  const kubeconfig = useKubeconfig(space)
  const { open } = useWhy()
  return (
    <div className={layout.stack}>
      <Panel title="About">
        {space.description !== '' && (
          <p className={styles.text}>
            <bdi>{space.description}</bdi>
          </p>
        )}
        <FactList
          facts={[
            { name: 'Namespace', value: <CopyableId id={space.namespace} label="namespace" /> },
            { name: 'Identifier', value: <CopyableId id={space.identifier} label="identifier" /> },
            { name: 'Created', value: <RelativeTime at={space.createdAt} /> },
          ]}
        />
      </Panel>
      <Panel title="Clusters">
        {space.clusters.length === 0 && (
          <p className={styles.text}>
            <bdi>No cluster is attached. Edit the space to attach one.</bdi>
          </p>
        )}
        <ul className={styles.list}>
          {space.clusters.map((cluster) => (
            <li key={cluster.id}>
              <Link to="/clusters/$clusterId" params={{ clusterId: cluster.id }}>
                <bdi>{cluster.displayName}</bdi>
              </Link>
              <span className={styles.aside}>{cluster.provider}</span>
            </li>
          ))}
        </ul>
        {space.clusters.length > 0 && (
          <DownloadButton
            name={`${space.name}.kubeconfig`}
            load={() => kubeconfig.load([space])}
            right={kubeconfig.right}
          >
            Download kubeconfig
          </DownloadButton>
        )}
      </Panel>
      <Panel title="What you can do here">
        <p className={styles.text}>
          <bdi>You can {scopesInWords(space.scopes)} here.</bdi>
        </p>
        <Button
          small
          icon={IconHelp}
          aria-haspopup="dialog"
          onClick={() =>
            open({
              ask: 'all',
              place: 'space',
              id: space.id,
              name: space.displayName,
              page: 'spaces/$spaceId/overview',
            })
          }
        >
          What can I do here
        </Button>
      </Panel>
    </div>
  )
}
