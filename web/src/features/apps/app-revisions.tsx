import type { Revision } from '@quayside/contract/deployment'
import type { App } from '@quayside/contract/portal-api'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import { useRevisions } from '../../api/releases.ts'
import { useWizards } from '../../api/wizards.tsx'
import { useAccess } from '../../lib/use-access.ts'
import { Button } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
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
  const mayManage = useAccess('catalog-apps', 'catalog.deployments.manage')
  const rollback: Column<Revision> = {
    key: 'rollback',
    title: '',
    align: 'end',
    cell: ({ revision, installed }) =>
      !installed && (
        <Button
          small
          icon={IconArrowBackUp}
          aria-label={`Rollback to revision ${revision}`}
          onClick={() => void open({ kind: 'rollback', appId: app.id, revision })}
        >
          Rollback
        </Button>
      ),
  }
  return (
    <>
      <DataTable
        label="Revisions"
        columns={mayManage ? [...columns, rollback] : columns}
        rows={revisions.data}
        rowKey={({ revision }) => String(revision)}
        error={revisions.error}
        onRetry={() => void revisions.refetch()}
        empty={<EmptyState title="No revisions" />}
      />
      {revisions.data !== undefined && revisions.data.length > 1 && (
        <RevisionComparison appId={app.id} revisions={revisions.data} />
      )}
    </>
  )
}
