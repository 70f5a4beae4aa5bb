import type { ClusterRule } from '@quayside/contract/clusters/rules'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { useClusterRules, useRemoveRule } from '../../api/clusters/cluster-rules.ts'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { actorName } from '../../lib/actor-name.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { useTellFailure } from '../../ui/actions/tell-failure.ts'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { ClusterApprovals } from './cluster-approvals.tsx'
import { ClusterRuleDialog } from './cluster-rule-dialog.tsx'
import styles from './cluster-spaces.module.css'

const columns: readonly Column<ClusterRule>[] = [
  {
    key: 'kind',
    title: 'Kind',
    sortBy: ({ kind }) => kind,
    cell: ({ kind, group }) => <NameCell below={group === '' ? 'core' : group}>{kind}</NameCell>,
  },
  { key: 'name', title: 'Name', cell: ({ name }) => (name === null ? 'Any' : <code>{name}</code>) },
  {
    key: 'for',
    title: 'Only for',
    long: true,
    cell: ({ item, publisher }) => {
      const only = [item?.displayName, publisher === null ? undefined : `uploaded by ${publisher}`].filter(Boolean)
      return only.length === 0 ? 'Every chart' : <bdi>{only.join(', ')}</bdi>
    },
  },
  {
    key: 'elevates',
    title: 'Gives',
    cell: ({ elevates }) =>
      elevates ? <span className={styles.warned}>Rights on the cluster</span> : 'No rights by itself',
  },
  {
    key: 'by',
    title: 'Added',
    long: true,
    cell: ({ createdBy, createdAt, note }) => (
      <span className={styles.lines}>
        <bdi>
          <bdi>{actorName(createdBy)}</bdi>, <RelativeTime at={createdAt} />
        </bdi>
        {note !== '' && <bdi className={styles.detail}>{note}</bdi>}
      </span>
    ),
  },
]

/** The rules that let charts create objects outside their space, and the requests for more. */
export function ClusterRules({ id }: { id: string }) {
  const rules = useClusterRules(id)
  const guard = useGuard()
  const [adding, setAdding] = useState(false)
  const remove = useRemove(id)
  return (
    <div className={styles.stack}>
      <ClusterApprovals clusterId={id} />
      <section aria-label="Allowed outside spaces">
        <div className={styles.bar}>
          <p className={styles.text}>
            <bdi>What charts may create on this cluster outside their space. Anything else needs an approval.</bdi>
          </p>
          <GuardedButton
            look="primary"
            icon={IconPlus}
            {...guard('cluster.rules', 'allow charts more on this cluster')}
            onClick={() => setAdding(true)}
          >
            Allow a kind
          </GuardedButton>
        </div>
        <DataTable
          sorts="all rows are here"
          label="Allowed outside spaces"
          columns={columns}
          rows={rules.data}
          rowKey={(rule) => rule.id}
          rowName={({ kind }) => kind}
          rowMenu={(rule) => [
            {
              label: 'Remove',
              icon: IconTrash,
              danger: true,
              onSelect: () => void remove(rule),
              right: guard('cluster.rules', 'take this off the list'),
            },
          ]}
          error={rules.error}
          onRetry={() => void rules.refetch()}
          empty={
            <EmptyState
              title="Nothing is allowed yet"
              text="A chart that needs a ClusterRole or a custom resource definition asks, and somebody answers above."
            />
          }
        />
      </section>
      {adding && <ClusterRuleDialog clusterId={id} onClose={() => setAdding(false)} />}
    </div>
  )
}

function useRemove(clusterId: string) {
  const confirm = useConfirm()
  const tell = useTellFailure()
  const remove = useRemoveRule(clusterId)
  return async ({ id, kind }: ClusterRule) => {
    const message = `Remove ${kind} from the list? A deployment that is using it right now is stopped. Anything already deployed stays, and the next deployment needs an approval.`
    if (!(await confirm({ title: 'Remove from the list', danger: true, message }))) return
    await remove.mutateAsync(id).catch(tell('Not removed'))
  }
}
