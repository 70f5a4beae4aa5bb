import type { CatalogVersion } from '@quayside/contract/catalog/endpoints'
import type { UseQueryResult } from '@tanstack/react-query'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { formatBytes } from '../../lib/quantities.ts'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'

const columns: readonly Column<CatalogVersion>[] = [
  { key: 'version', title: 'Version', cell: ({ version }) => <bdi className="mono">{version}</bdi> },
  {
    key: 'appVersion',
    title: 'App version',
    cell: ({ appVersion }) => <bdi className="mono">{appVersion ?? '–'}</bdi>,
  },
  { key: 'kube', title: 'Kubernetes', cell: ({ kubeVersion }) => <bdi className="mono">{kubeVersion ?? 'any'}</bdi> },
  {
    key: 'size',
    title: 'Size',
    align: 'end',
    sortBy: ({ sizeBytes }) => sizeBytes,
    cell: ({ sizeBytes }) => <bdi>{formatBytes(sizeBytes)}</bdi>,
  },
  { key: 'source', title: 'From', cell: ({ sourceName }) => <bdi>{sourceName ?? 'an upload'}</bdi> },
  {
    key: 'added',
    title: 'Added',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]

export function ItemVersions({ versions }: { versions: UseQueryResult<CatalogVersion[]> }) {
  const { open } = useWizards()
  const guard = useGuard()
  const deploy: Column<CatalogVersion> = {
    key: 'deploy',
    title: '',
    align: 'end',
    cell: (version) => (
      <GuardedButton
        small
        {...guard('app.deploy', `deploy version ${version.version}`)}
        aria-label={`Deploy ${version.version}`}
        onClick={() => void open({ kind: 'install', versionId: version.id })}
      >
        Deploy
      </GuardedButton>
    ),
  }
  return (
    <DataTable
      sorts="all rows are here"
      label="Versions"
      columns={[...columns, deploy]}
      rows={versions.data}
      rowKey={({ id }) => id}
      error={versions.error}
      onRetry={() => void versions.refetch()}
      empty={<EmptyState title="No versions" />}
    />
  )
}
