import type { CatalogSource } from '@quayside/contract/catalog/sources'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useSource } from '../../../api/catalog/sources.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { CopyableId } from '../../../ui/actions/copyable-id.tsx'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { DetailHeader } from '../../../ui/layout/detail-header.tsx'
import parts from '../../../ui/layout/form-parts.module.css'
import { FactList, Panel } from '../../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import { StateBadge } from '../../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { RunProgress } from './run-state.tsx'
import { SourceRuns } from './source-runs.tsx'
import { isUnderWay, kindWords, scheduleWords, signInWords, stateWords } from './source-words.ts'
import { useSourceActions } from './use-source-actions.tsx'

export function SourcePage() {
  const { sourceId } = useParams({ from: '/catalog/apps/sources/$sourceId' })
  const source = useSource(sourceId)
  usePageTitle(source.data?.name)
  if (source.error !== null)
    return <ErrorPanel error={source.error} name="Catalog source" onRetry={() => void source.refetch()} />
  return source.data === undefined ? <Loading /> : <Detail source={source.data} />
}

function Detail({ source }: { source: CatalogSource }) {
  const navigate = useNavigate()
  const actions = useSourceActions(() => void navigate({ to: '/catalog/apps', search: { tab: 'sources' } }))
  const { lastRun } = source
  return (
    <div className={parts.stack}>
      <DetailHeader
        title={source.name}
        below={<CopyableId id={source.address} label="address" />}
        state={lastRun && <StateBadge boxed {...stateWords[lastRun.state]} />}
        actions={actions.entriesOf(source).map(({ label, icon, right, primary, onSelect }) => (
          <GuardedButton
            key={label}
            {...right}
            icon={icon}
            look={primary ? 'primary' : 'default'}
            disabled={primary && lastRun !== null && isUnderWay(lastRun)}
            onClick={onSelect}
          >
            {label}
          </GuardedButton>
        ))}
      />
      <Panel title="What it takes">
        <FactList facts={factsOf(source)} />
      </Panel>
      {lastRun !== null && isUnderWay(lastRun) && (
        <Panel title="Synchronisation">
          <RunProgress run={lastRun} />
        </Panel>
      )}
      <SourceRuns source={source} />
      {actions.dialogs}
    </div>
  )
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

function factsOf(source: CatalogSource) {
  const { kind, signIn, username, charts, versions, prereleases, addsToUploads, everyHours, nextRunAt } = source
  return [
    { name: 'Kind', value: kindWords[kind] },
    { name: 'Sign-in', value: <bdi>{username === '' ? signInWords[signIn] : username}</bdi> },
    { name: 'Charts', value: <bdi>{charts.length === 0 ? 'All of them' : charts.join(', ')}</bdi> },
    {
      name: 'Versions',
      value: <bdi>{`The newest ${versions} of each chart${prereleases ? ', prereleases among them' : ''}`}</bdi>,
    },
    {
      name: 'Items of the same name',
      value: addsToUploads ? 'Get its versions, if they were uploaded' : 'Stay as they are',
    },
    { name: 'Synchronised', value: scheduleWords(everyHours) },
    { name: 'Next run', value: nextRunAt === null ? '–' : <RelativeTime at={nextRunAt} /> },
    {
      name: 'In the catalog',
      value: (
        <Link to="/catalog/apps" search={{ source: source.id }}>
          <bdi>{`${counted(source.itemCount, 'item')}, ${counted(source.versionCount, 'version')}`}</bdi>
        </Link>
      ),
    },
    { name: 'Added by', value: <bdi>{source.createdBy}</bdi> },
  ]
}
