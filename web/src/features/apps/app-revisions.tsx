import type { App } from '@quayside/contract/apps/endpoints'
import type { Revision } from '@quayside/contract/deployments/endpoints'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import { useRevisions } from '../../api/deployments/releases.ts'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { inApp, useGuard } from '../../api/permissions/my-scopes.ts'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { RevisionComparison } from './revision-comparison.tsx'

const columns: readonly Column<Revision>[] = [
  {
    key: 'revision',
    title: 'Revision',
    cell: ({ revision, installed }) => <bdi>{revision + (installed ? ' (installed)' : '')}</bdi>,
  },
  { key: 'status', title: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
  { key: 'version', title: 'Version', cell: ({ version }) => <bdi className="mono">{version}</bdi> },
  { key: 'description', title: 'Description', cell: ({ description }) => <bdi>{description}</bdi> },
  {
    key: 'by',
    title: 'By',
    cell: ({ startedBy }) => (startedBy === null ? 'Outside the portal' : <bdi>{startedBy}</bdi>),
  },
  { key: 'updated', title: 'Updated', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
]

export function AppRevisions({ app }: { app: App }) {
  const { open } = useWizards()
  const revisions = useRevisions(app.id)
  const right = useGuard()('app.rollback', `roll back ${app.displayName}`, inApp(app))
  const rollback: Column<Revision> = {
    key: 'rollback',
    title: '',
    align: 'end',
    cell: ({ revision, installed }) =>
      !installed && (
        <GuardedButton
          small
          {...right}
          icon={IconArrowBackUp}
          aria-label={`Rollback to revision ${revision}`}
          onClick={() => void open({ kind: 'rollback', appId: app.id, revision })}
        >
          Rollback
        </GuardedButton>
      ),
  }
  return (
    <>
      <DataTable
        sorts="all rows are here"
        label="Revisions"
        columns={[...columns, rollback]}
        rows={revisions.data}
        rowKey={({ revision }) => String(revision)}
        error={revisions.error}
        onRetry={() => void revisions.refetch()}
        empty={<EmptyState title="No revisions" />}
      />
      {revisions.data !== undefined && revisions.data.length > 1 && (
        <RevisionComparison app={app} revisions={revisions.data} />
      )}
    </>
  )
}
