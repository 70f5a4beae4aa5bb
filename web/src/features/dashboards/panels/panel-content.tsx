import type { PanelData, PanelFrame } from '@quayside/contract/dashboards/query'
import type { Panel } from '@quayside/contract/dashboards/spec'
import { lazily } from '../../../ui/states/lazily.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import { AppStates } from './app-states.tsx'
import { ClusterMap, SpaceQuota } from './clusters.tsx'
import { DeploymentBars } from './deployment-bars.tsx'
import { Events } from './events.tsx'
import { Note } from './note.tsx'
import styles from './panels.module.css'
import { UsageOverTime } from './usage-over-time.tsx'

const Markdown = lazily(() => import('../../../ui/text/markdown.tsx').then((module) => module.Markdown), <Loading />)

interface Props {
  panel: Panel
  frame: PanelFrame | undefined
  /** The question was not answered to its end. */
  isFailed?: boolean
  /** The figures as a table instead of a drawing. */
  asTable: boolean
}

/** The inside of a panel: its data, or the reason why there is none. */
export function PanelContent({ panel, frame, isFailed = false, asTable }: Props) {
  const { plugin } = panel.spec
  if (plugin.kind === 'Markdown')
    return plugin.spec.text === '' ? <Note text="This panel has no text yet." /> : <Markdown text={plugin.spec.text} />
  if (frame === undefined && isFailed) return <Note text="This panel could not be loaded." isFailed />
  if (frame === undefined) return <Loading />
  if (frame.status === 'failed') return <Note text={frame.message} isFailed />
  if (frame.status !== 'ok') return <Note text={frame.message} />
  return <Data data={frame.data} asTable={asTable} />
}

function Data({ data, asTable }: { data: PanelData; asTable: boolean }) {
  if (data.kind === 'AppStates') return <AppStates data={data} asTable={asTable} />
  if (data.kind === 'Deployments') return <DeploymentBars data={data} asTable={asTable} />
  if (data.kind === 'Events') return <Events {...data} />
  if (data.kind === 'ClusterMap') return <ClusterMap clusters={data.clusters} asTable={asTable} />
  if (data.kind === 'SpaceQuota') return <SpaceQuota data={data} asTable={asTable} />
  if (data.kind === 'Usage') return <UsageOverTime data={data} asTable={asTable} />
  return <Links links={data.links} />
}

function Links({ links }: { links: readonly { name: string; url: string }[] }) {
  if (links.length === 0) return <Note text="This panel has no links yet." />
  return (
    <ul className={styles.list}>
      {links.map(({ name, url }) => (
        <li key={`${name} ${url}`}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            <bdi>{name}</bdi>
            <span className="unseen"> opens in a new tab</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
