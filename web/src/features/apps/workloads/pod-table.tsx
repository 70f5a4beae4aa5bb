import type { App } from '@quayside/contract/apps/endpoints'
import type { Pod } from '@quayside/contract/clusters/endpoints'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { inApp, useGuard } from '../../../api/permissions/my-scopes.ts'
import { usePods } from '../../../api/workloads.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { StateBadge } from '../../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import styles from './app-workloads.module.css'
import { useDeletePod } from './use-delete-pod.ts'

const columns: readonly Column<Pod>[] = [
  { key: 'name', title: 'Name', sortBy: ({ name }) => name, cell: ({ name }) => <code className="ltr">{name}</code> },
  {
    key: 'state',
    title: 'State',
    long: true,
    sortBy: ({ state }) => state,
    cell: ({ state, phase, message }) => (
      <span className={styles.state}>
        <StateBadge state={state} label={phase} />
        {message !== null && (
          <bdi className={styles.message} title={message}>
            {message}
          </bdi>
        )}
      </span>
    ),
  },
  { key: 'ready', title: 'Ready', cell: ({ ready, total }) => <bdi>{`${ready}/${total}`}</bdi> },
  {
    key: 'restarts',
    title: 'Restarts',
    sortBy: ({ restarts }) => restarts,
    cell: ({ restarts }) => <bdi>{restarts}</bdi>,
  },
  { key: 'node', title: 'Node', cell: ({ node }) => <code className="ltr">{node ?? '–'}</code> },
  { key: 'ip', title: 'IP', cell: ({ ip }) => <code className="ltr">{ip ?? '–'}</code> },
  {
    key: 'created',
    title: 'Created',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]

interface Props {
  app: App
  chosen: string | undefined
  onChoose: (pod: string) => void
}

export function PodTable({ app, chosen, onChoose }: Props) {
  const pods = usePods(app.id)
  const remove = useDeletePod(app)
  const right = useGuard()('app.delete-pod', `delete pods of ${app.displayName}`, inApp(app))
  const logs: Column<Pod> = {
    key: 'logs',
    title: '',
    align: 'end',
    cell: ({ name }) => (
      <Button
        small
        icon={IconFileText}
        aria-label={`Logs of ${name}`}
        aria-pressed={chosen === name}
        onClick={() => onChoose(name)}
      >
        Logs
      </Button>
    ),
  }
  return (
    <DataTable
      sorts="all rows are here"
      label="Pods"
      columns={[...columns, logs]}
      rows={pods.data?.data}
      rowKey={({ name }) => name}
      rowName={({ name }) => name}
      rowMenu={(pod) => [
        {
          label: 'Delete pod',
          icon: IconTrash,
          danger: true,
          right,
          onSelect: () => void remove(pod),
        },
      ]}
      error={pods.error}
      onRetry={() => void pods.refetch()}
      empty={<EmptyState title="No pods" text="Nothing of this app runs at the moment." />}
    />
  )
}
