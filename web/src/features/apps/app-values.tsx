import type { App } from '@quayside/contract/portal-api'
import { CodeView } from '../../ui/code-view.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Loading } from '../../ui/loading.tsx'
import { useRevision } from './use-apps.ts'

/** The values that the running revision was given. */
export function AppValues({ app }: { app: App }) {
  const revision = useRevision(app.id, app.revision ?? undefined)
  if (app.revision === null)
    return <EmptyState title="No values yet" text="They are shown when the first deployment has finished." />
  if (revision.error !== null)
    return <ErrorPanel error={revision.error} name="Values" onRetry={() => void revision.refetch()} />
  if (revision.data === undefined) return <Loading />
  return (
    <CodeView label={`Values of revision ${revision.data.revision}`} code={revision.data.valuesYaml} maxHeight="70vh" />
  )
}
