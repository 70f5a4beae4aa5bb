import type { App } from '@quayside/contract/apps/endpoints'
import { lazy, Suspense, useState } from 'react'
import { useVersion } from '../../api/catalog/items.ts'
import { useRevision } from '../../api/deployments/releases.ts'
import { ViewToggle } from '../../ui/lists/view-toggle.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { CodeView } from '../../ui/text/code-view.tsx'
import styles from './app-values.module.css'

const DefaultsDiff = lazy(() => import('./defaults-diff.tsx').then((module) => ({ default: module.DefaultsDiff })))

const views = [
  { key: 'all', title: 'Values' },
  { key: 'defaults', title: 'Against the defaults' },
] as const

/** The values that the running revision was given, and how they differ from the chart's own. */
export function AppValues({ app }: { app: App }) {
  const [view, setView] = useState<'all' | 'defaults'>('all')
  const revision = useRevision(app.id, app.revision ?? undefined)
  if (app.revision === null)
    return <EmptyState title="No values yet" text="The values appear when the first deployment has finished." />
  if (revision.error !== null)
    return <ErrorPanel error={revision.error} name="Values" onRetry={() => void revision.refetch()} />
  if (revision.data === undefined) return <Loading />
  const { valuesYaml, revision: number } = revision.data
  return (
    <div className={styles.values}>
      <ViewToggle label="View" views={views} value={view} onChange={setView} />
      {view === 'all' ? (
        <CodeView label={`Values of revision ${number}`} code={valuesYaml} maxHeight="70vh" />
      ) : (
        <AgainstDefaults versionId={app.catalogVersionId} values={valuesYaml} name={`Revision ${number}`} />
      )}
    </div>
  )
}

function AgainstDefaults({ versionId, values, name }: { versionId: string; values: string; name: string }) {
  const version = useVersion(versionId)
  if (version.error !== null)
    return <ErrorPanel error={version.error} name="Defaults" onRetry={() => void version.refetch()} />
  if (version.data === undefined) return <Loading card />
  return (
    <Suspense fallback={<Loading card />}>
      <DefaultsDiff version={version.data} values={values} name={name} />
    </Suspense>
  )
}
