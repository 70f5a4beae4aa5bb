import type { AppOverview as Overview } from '@quayside/contract/cluster'
import type { App } from '@quayside/contract/portal-api'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { FactList, Panel } from '../../../ui/panel.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { useOverview } from '../use-apps.ts'
import { AppEvents } from './app-events.tsx'
import styles from './app-overview.module.css'
import { ObjectTree } from './object-tree.tsx'

/** What runs: the tree from the release to its pods, what needs attention, the facts, endpoints and events. */
export function AppOverview({ app }: { app: App }) {
  const overview = useOverview(app.id)
  if (overview.error !== null && overview.data === undefined)
    return <ErrorPanel error={overview.error} name="What runs" onRetry={() => void overview.refetch()} />
  if (overview.data === undefined) return <Loading />
  const troubled = overview.data.objects.filter(({ state }) => state === 'degraded' || state === 'failed')
  return (
    <div className={styles.columns}>
      <Panel title="What runs" aside={<bdi>{countWords(overview.data.objects.length, troubled.length)}</bdi>} flush>
        <ObjectTree objects={overview.data.objects} />
      </Panel>
      <div className={styles.side}>
        {troubled.length > 0 && (
          <Panel title="Needs attention">
            <ul className={styles.troubles}>
              {troubled.map((object) => (
                <li key={object.id}>
                  <StateBadge state={object.state} label={`${object.kind} ${object.name}`} />
                  <bdi className={styles.detail}>{object.detail}</bdi>
                </li>
              ))}
            </ul>
          </Panel>
        )}
        <Panel title="Release">
          <FactList facts={factsOf(app, overview.data)} />
        </Panel>
        {overview.data.endpoints.length > 0 && (
          <Panel title="Endpoints">
            <FactList
              facts={overview.data.endpoints.map(({ kind, name, address }) => ({
                name: `${kind} ${name}`,
                value: <Address address={address} />,
              }))}
            />
          </Panel>
        )}
      </div>
      <div className={styles.wide}>
        <AppEvents appId={app.id} />
      </div>
    </div>
  )
}

function countWords(all: number, troubled: number): string {
  const objects = `${all} ${all === 1 ? 'object' : 'objects'}`
  return troubled === 0 ? objects : `${objects}, ${troubled} ${troubled === 1 ? 'needs' : 'need'} attention`
}

function factsOf(app: App, { release, message }: Overview) {
  return [
    { name: 'Status', value: <bdi>{release?.status ?? 'no release'}</bdi> },
    { name: 'Version', value: <bdi className="mono">{app.version}</bdi> },
    {
      name: 'Revision',
      value:
        release === null ? (
          '–'
        ) : (
          <span>
            <bdi>{release.revision}</bdi>, <RelativeTime at={release.updatedAt} />
          </span>
        ),
    },
    { name: 'Space', value: <bdi>{app.spaceName}</bdi> },
    { name: 'Cluster', value: <bdi>{app.clusterName}</bdi> },
    ...(message === null ? [] : [{ name: 'State', value: <bdi>{message}</bdi> }]),
    ...(release === null || release.notes === ''
      ? []
      : [{ name: 'Notes', value: <pre className={styles.notes}>{release.notes}</pre> }]),
  ]
}

function Address({ address }: { address: string }) {
  if (!/^https?:\/\//.test(address)) return <bdi className="mono">{address}</bdi>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      <bdi>{address}</bdi>
    </a>
  )
}
