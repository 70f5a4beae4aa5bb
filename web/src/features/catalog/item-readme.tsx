import type { CatalogVersionDetail } from '@quayside/contract/catalog/endpoints'
import { formatBytes } from '../../lib/quantities.ts'
import { FactList, Panel } from '../../ui/layout/panel.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { lazily } from '../../ui/states/lazily.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './item-readme.module.css'

const Markdown = lazily(() => import('../../ui/text/markdown.tsx').then((module) => module.Markdown), <Loading />)

/** The readme of a version with the facts of its package beside it. */
export function ItemReadme({ version }: { version: CatalogVersionDetail }) {
  return (
    <div className={styles.columns}>
      <Panel>
        {version.readme === '' ? (
          <EmptyState title="This version has no readme" text={version.description} />
        ) : (
          <Markdown text={version.readme} />
        )}
      </Panel>
      <Panel title="Package">
        <FactList facts={factsOf(version)} />
      </Panel>
    </div>
  )
}

function factsOf(version: CatalogVersionDetail) {
  const dash = '–'
  return [
    { name: 'Version', value: <bdi className="mono">{version.version}</bdi> },
    { name: 'App version', value: <bdi className="mono">{version.appVersion ?? dash}</bdi> },
    { name: 'Kubernetes', value: <bdi className="mono">{version.kubeVersion ?? 'any'}</bdi> },
    { name: 'Added', value: <RelativeTime at={version.createdAt} /> },
    { name: 'Size', value: <bdi>{formatBytes(version.sizeBytes)}</bdi> },
    { name: 'Resource roles', value: <bdi>{version.resourceRoles.join(', ') || dash}</bdi> },
    { name: 'Contains', value: <bdi>{version.dependencies.map(({ name }) => name).join(', ') || dash}</bdi> },
    { name: 'Maintainers', value: <bdi>{version.maintainers.map(({ name }) => name).join(', ') || dash}</bdi> },
    { name: 'Home', value: <SafeLink address={version.home} /> },
    { name: 'Digest', value: <code title={version.digest}>{version.digest.slice(0, 19)}…</code> },
  ]
}

/** Links of a package lead to the web or nowhere. */
function SafeLink({ address }: { address: string | null }) {
  if (address === null || !/^https?:\/\//i.test(address)) return '–'
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {new URL(address).host}
    </a>
  )
}
