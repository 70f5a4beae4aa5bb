import type { SpaceOnCluster } from '@quayside/contract/clusters/rules'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { rightWords } from '../../api/clusters/asked-right-words.ts'
import { useChangeSpaceOn, useSpacesOn } from '../../api/clusters/cluster-rules.ts'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { listed } from '../../api/permissions/scope-words.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { OptionSelect } from '../../ui/forms/option-select.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import styles from './cluster-spaces.module.css'
import { ReachField } from './elevation/reach-field.tsx'
import { labelOf, networks, podSecurityLevels, reachWords } from './space-security-words.ts'

const columns: readonly Column<SpaceOnCluster>[] = [
  {
    key: 'space',
    title: 'Space',
    sortBy: ({ space }) => space.displayName,
    cell: ({ space, namespace }) => (
      <NameCell below={namespace}>
        <Link to="/spaces/$spaceId/overview" params={{ spaceId: space.id }}>
          {space.displayName}
        </Link>
      </NameCell>
    ),
  },
  {
    key: 'pods',
    title: 'Pod Security',
    sortBy: ({ podSecurity }) => podSecurity,
    cell: ({ podSecurity }) => (
      <span className={podSecurity === 'privileged' ? styles.warned : undefined}>
        {labelOf(podSecurityLevels, podSecurity)}
      </span>
    ),
  },
  {
    key: 'network',
    title: 'Network',
    sortBy: ({ network }) => network,
    cell: ({ network, reaches }) => (
      <span className={network === 'open' ? styles.warned : undefined}>
        <bdi>
          {[labelOf(networks, network), network === 'open' ? '' : reachWords(reaches)].filter(Boolean).join(' + ')}
        </bdi>
      </span>
    ),
  },
  {
    key: 'elevated',
    title: 'Rights on the whole cluster',
    long: true,
    cell: ({ elevatedBy, asksFor }) =>
      elevatedBy.length === 0 ? (
        'None'
      ) : (
        <bdi className={styles.warned}>
          by {elevatedBy.map(({ displayName }) => displayName).join(', ')}; deploying takes{' '}
          {listed(asksFor.map(rightWords))}
        </bdi>
      ),
  },
  {
    key: 'applied',
    title: 'On the cluster',
    long: true,
    cell: ({ applied, message, stricter }) => {
      const state = applied ? (
        <StateBadge state="healthy" label="Applied" />
      ) : (
        <StateBadge state="degraded" label="Not applied" />
      )
      return (
        <span className={styles.lines}>
          {applied === null ? 'Nothing deployed yet' : state}
          {applied === false && message !== null && <bdi className={styles.detail}>{message}</bdi>}
          {stricter.length > 0 && <bdi className={styles.detail}>{stricterWords(stricter)}</bdi>}
        </span>
      )
    },
  },
]

const stricterWords = (stricter: SpaceOnCluster['stricter']) =>
  `This cluster is also registered as ${listed(stricter.map(({ displayName }) => displayName))}, where the space is held apart more. The stricter settings of both count.`

/** The spaces on a cluster with what holds each apart from the rest. */
export function ClusterSpaces({ id }: { id: string }) {
  const spaces = useSpacesOn(id)
  const guard = useGuard()
  const [editing, setEditing] = useState<SpaceOnCluster>()
  return (
    <>
      <DataTable
        sorts="all rows are here"
        label="Spaces on this cluster"
        columns={columns}
        rows={spaces.data}
        rowKey={({ space }) => space.id}
        rowName={({ space }) => space.displayName}
        rowMenu={(one) => [
          {
            label: 'Change',
            icon: IconPencil,
            onSelect: () => setEditing(one),
            right: guard('cluster.isolation', `change what holds ${one.space.displayName} apart`),
          },
        ]}
        error={spaces.error}
        onRetry={() => void spaces.refetch()}
        empty={
          <EmptyState title="No space uses this cluster" text="Add this cluster to a space on the page of the space." />
        }
      />
      {editing !== undefined && (
        <SpaceIsolationDialog clusterId={id} space={editing} onClose={() => setEditing(undefined)} />
      )}
    </>
  )
}

interface DialogProps {
  clusterId: string
  space: SpaceOnCluster
  onClose: () => void
}

function SpaceIsolationDialog({ clusterId, space: before, onClose }: DialogProps) {
  const [podSecurity, setPodSecurity] = useState(before.podSecurity)
  const [network, setNetwork] = useState(before.network)
  const [reaches, setReaches] = useState(before.reaches)
  const change = useChangeSpaceOn(clusterId)
  const lowers = podSecurity === 'privileged' && before.podSecurity !== 'privileged'
  return (
    <FormDialog
      title={`${before.space.displayName} on this cluster`}
      submitLabel="Save"
      onClose={onClose}
      onSubmit={() =>
        change.mutate({ spaceId: before.space.id, podSecurity, network, reaches }, { onSuccess: onClose })
      }
      busy={change.isPending}
      disabled={podSecurity === before.podSecurity && network === before.network && reaches === before.reaches}
      error={change.error}
      errorName="Save"
    >
      <OptionSelect
        label="Pod Security"
        options={podSecurityLevels}
        value={podSecurity}
        onChange={(value) => setPodSecurity(podSecurityLevels.find((one) => one.value === value)?.value ?? podSecurity)}
      />
      <OptionSelect
        label="Network"
        options={networks}
        value={network}
        onChange={(value) => setNetwork(networks.find((one) => one.value === value)?.value ?? network)}
      />
      {network !== 'open' && <ReachField value={reaches} onChange={setReaches} />}
      {lowers && (
        <p role="alert" className={styles.warning}>
          <bdi>Anyone who can deploy in a privileged space can take over the nodes of the cluster.</bdi>
        </p>
      )}
    </FormDialog>
  )
}
