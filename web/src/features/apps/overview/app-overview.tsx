import type { App } from '@quayside/contract/apps/endpoints'
import type { AppOverview as Overview } from '@quayside/contract/clusters/endpoints'
import { useMemo } from 'react'
import { useOverview } from '../../../api/workloads.ts'
import { CopyableId } from '../../../ui/actions/copyable-id.tsx'
import { FactList, Panel } from '../../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { isWebAddress } from '../web-address.ts'
import { AppEvents } from './app-events.tsx'
import styles from './app-overview.module.css'
import { NeedsAttention } from './needs-attention.tsx'
import { ObjectTree } from './object-tree.tsx'
import { troubledOf, withRelease } from './overview-objects.ts'

/** The app in its cluster: the tree from release to pods, objects in trouble, facts, endpoints and events. */
export function AppOverview({ app }: { app: App }) {
  const overview = useOverview(app.id)
  if (overview.error !== null && overview.data === undefined)
    return <ErrorPanel error={overview.error} name="What runs" onRetry={() => void overview.refetch()} />
  if (overview.data === undefined) return <Loading />
  return <Drawn app={app} overview={overview.data} />
}

function Drawn({ app, overview }: { app: App; overview: Overview }) {
  const { objects, endpoints, release } = overview
  const troubled = useMemo(() => troubledOf(objects), [objects])
  const drawn = useMemo(() => withRelease(overview), [overview])
  return (
    <div className={styles.columns}>
      <Panel title="What runs" aside={<bdi>{countWords(objects.length, troubled.length)}</bdi>} flush>
        <ObjectTree objects={drawn} />
      </Panel>
      <div className={styles.side}>
        <NeedsAttention app={app} objects={troubled} message={isTroubled(overview) ? overview.message : null} />
        <Panel title="Release">
          <FactList facts={factsOf(app, overview)} />
        </Panel>
        {endpoints.length > 0 && (
          <Panel title="Endpoints">
            <ul className={styles.endpoints}>
              {endpoints.map(({ kind, name, address }) => (
                <li key={`${kind} ${name} ${address}`}>
                  <span className={styles.detail}>
                    <bdi>{`${kind} · ${name}`}</bdi>
                  </span>
                  <Address address={address} />
                </li>
              ))}
            </ul>
          </Panel>
        )}
      </div>
      <div className={styles.wide}>
        <AppEvents appId={app.id} />
      </div>
      {release !== null && release.notes !== '' && (
        <div className={styles.wide}>
          <Panel title="Notes">
            <pre className={styles.notes}>{release.notes.trim()}</pre>
          </Panel>
        </div>
      )}
    </div>
  )
}

function countWords(all: number, troubled: number): string {
  const objects = `${all} ${all === 1 ? 'object' : 'objects'}`
  return troubled === 0 ? objects : `${objects}, ${troubled} ${troubled === 1 ? 'needs' : 'need'} attention`
}

const isTroubled = ({ state }: Overview) => state === 'degraded' || state === 'failed'

function factsOf(app: App, overview: Overview) {
  const { release, message } = overview
  return [
    { name: 'Status', value: <bdi>{release?.status ?? 'no release'}</bdi> },
    { name: 'Version', value: <bdi className="mono">{app.version}</bdi> },
    {
      name: 'Revision',
      value:
        release === null ? (
          '–'
        ) : (
          <bdi dir="ltr">
            {release.revision}, <RelativeTime at={release.updatedAt} />
          </bdi>
        ),
    },
    { name: 'Space', value: <bdi>{app.spaceName}</bdi> },
    { name: 'Cluster', value: <bdi>{app.clusterName}</bdi> },
    ...(message === null || isTroubled(overview) ? [] : [{ name: 'State', value: <bdi>{message}</bdi> }]),
  ]
}

function Address({ address }: { address: string }) {
  if (!isWebAddress(address)) return <CopyableId id={address} label="address" />
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" className={styles.address}>
      <bdi>{address}</bdi>
    </a>
  )
}
