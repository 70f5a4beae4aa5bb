import type { HandedOutKubeconfig, KubeconfigEnd } from '@quayside/contract/clusters/kubeconfigs'
import { type Reach, useEndKubeconfig, useKubeconfigs } from '../../../api/clusters/kubeconfigs.ts'
import { actorName } from '../../../lib/actor-name.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { useConfirm } from '../../../ui/actions/confirm.tsx'
import { useTellFailure } from '../../../ui/actions/tell-failure.ts'
import type { ServerColumn } from '../../../ui/lists/data-table.tsx'
import { NameCell } from '../../../ui/lists/name-cell.tsx'
import { PagedTable } from '../../../ui/lists/paging/paged-table.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { RemainingTime } from '../../../ui/text/remaining-time.tsx'
import styles from './kubeconfig-list.module.css'

const roleWords = { viewer: 'Viewer', deployer: 'Deployer', manager: 'Manager' } as const

const endWords: Record<KubeconfigEnd, string> = {
  expired: 'its time was over',
  ended: 'ended by hand',
  'access-lost': 'its holder lost the right to it',
  'space-deleted': 'the space was deleted',
  'cluster-removed': 'the cluster was removed from the space',
  'too-many': 'its holder took newer ones',
  failed: 'it could not be made',
}

const empties: Record<Reach['of'], string> = {
  me: 'What you download for kubectl on the page of a space, or here, is listed until a week after its end.',
  space: 'What people download for kubectl here is listed until a week after its end.',
  cluster: 'What people download for kubectl on their spaces is listed until a week after its end.',
}

/** Kubeconfigs that were handed out: whose, where, with which rights, until when, and the way to end one at once. */
export function KubeconfigList({ reach }: { reach: Reach }) {
  const [{ skip = '0' }] = useUrlState()
  const list = useKubeconfigs(reach, Number(skip) || 0)
  const end = useEnd(reach)
  return (
    <PagedTable
      label="Kubeconfigs"
      columns={[...columnsFor(reach), endColumn(end)]}
      list={list}
      rowKey={({ id }) => id}
      rowsName="kubeconfigs"
      empty={<EmptyState title="No kubeconfigs" text={empties[reach.of]} />}
    />
  )
}

const place = ({ space, cluster }: HandedOutKubeconfig, { of }: Reach) => {
  if (of === 'space') return cluster.name
  return of === 'cluster' ? space.name : `${space.name} on ${cluster.name}`
}

function columnsFor(reach: Reach): ServerColumn<HandedOutKubeconfig>[] {
  const named: ServerColumn<HandedOutKubeconfig> =
    reach.of === 'me'
      ? { key: 'place', title: 'Space and cluster', cell: (one) => <NameCell>{place(one, reach)}</NameCell> }
      : {
          key: 'user',
          title: 'Holder',
          cell: (one) => <NameCell below={place(one, reach)}>{actorName(one.user.name)}</NameCell>,
        }
  return [
    named,
    { key: 'role', title: 'Rights', cell: ({ role }) => roleWords[role] },
    {
      key: 'issued',
      title: 'Handed out',
      cell: ({ issuedAt }) => <RelativeTime at={issuedAt} />,
    },
    { key: 'until', title: 'Until', long: true, cell: (one) => <Until kubeconfig={one} /> },
  ]
}

function Until({ kubeconfig }: { kubeconfig: HandedOutKubeconfig }) {
  const { state, expiresAt, endedAt, endedBecause, endedBy } = kubeconfig
  if (state === 'valid') return <RemainingTime until={expiresAt} quiet />
  if (state === 'ending') return <bdi className={styles.ending}>Ends as soon as its cluster answers</bdi>
  return (
    <bdi className={styles.ended}>
      Ended <RelativeTime at={endedAt} />
      {endedBecause !== null && `: ${endWords[endedBecause]}`}
      {endedBy !== null && (
        <>
          {' '}
          by <bdi>{endedBy}</bdi>
        </>
      )}
    </bdi>
  )
}

function endColumn(end: (kubeconfig: HandedOutKubeconfig) => Promise<void>): ServerColumn<HandedOutKubeconfig> {
  return {
    key: 'end',
    title: '',
    align: 'end',
    cell: (one) =>
      one.state === 'valid' && (
        <Button
          small
          aria-label={`End kubeconfig of ${one.user.name} for ${one.space.name}`}
          onClick={() => void end(one)}
        >
          End
        </Button>
      ),
  }
}

/** Asks, ends and says why when it cannot be. */
function useEnd(reach: Reach) {
  const confirm = useConfirm()
  const tell = useTellFailure()
  const end = useEndKubeconfig(reach)
  return async ({ id, user, space, cluster }: HandedOutKubeconfig) => {
    const message = `End the kubeconfig of ${user.name} for ${space.name} on ${cluster.name}? It counts no more within seconds.`
    if (!(await confirm({ title: 'End kubeconfig', danger: true, message }))) return
    await end.mutateAsync(id).catch(tell('The kubeconfig was not ended'))
  }
}
