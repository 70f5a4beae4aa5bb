import type { RoleGrant } from '@quayside/contract/permissions/role-requests'
import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs'
import IconUserMinus from '@tabler/icons-react/dist/esm/icons/IconUserMinus.mjs'
import { useEndRoleGrant, useRoleGrants, useRoleHistory } from '../../../api/permissions/access-requests.ts'
import { useLiveRequests, useRoleRequestsToAnswer } from '../../../api/permissions/open-requests.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { useConfirm } from '../../../ui/actions/confirm.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import type { ServerColumn } from '../../../ui/lists/data-table.tsx'
import { NameCell } from '../../../ui/lists/name-cell.tsx'
import { PagedTable } from '../../../ui/lists/paging/paged-table.tsx'
import { Avatar } from '../../../ui/marks/avatar.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { RemainingTime } from '../../../ui/text/remaining-time.tsx'
import { EventTable } from '../members/member-history.tsx'
import { RequestCard } from './request-card.tsx'
import { RequestList } from './request-lists.tsx'

const columns: readonly ServerColumn<RoleGrant>[] = [
  {
    key: 'person',
    title: 'Person',
    cell: ({ person }) => (
      <NameCell
        mark={<Avatar name={person.name} round />}
        below={person.username === person.name ? undefined : person.username}
      >
        {person.name}
      </NameCell>
    ),
  },
  { key: 'role', title: 'Role', cell: ({ role }) => <code>{role.name}</code> },
  {
    key: 'expiresAt',
    title: 'Ends',
    cell: ({ expiresAt }) => (expiresAt === null ? 'When it is revoked' : <RemainingTime until={expiresAt} />),
  },
  { key: 'grantedBy', title: 'Given by', cell: ({ grantedByName }) => <bdi>{grantedByName}</bdi> },
  { key: 'grantedAt', title: 'Given', cell: ({ grantedAt }) => <RelativeTime at={grantedAt} /> },
]

/** Requests for roles of the tenant, the roles that were given so, and what happened, for who manages roles. */
export function RoleRequests() {
  useLiveRequests()
  const waiting = useRoleRequestsToAnswer()
  const history = useRoleHistory()
  return (
    <>
      <RequestList
        title="To answer"
        found={waiting}
        empty={<EmptyState icon={IconInbox} title="No requests for tenant roles" />}
        draw={(request, among) => <RequestCard key={request.id} request={request} among={among} />}
      />
      <GivenRoles />
      <Panel title="History">
        <EventTable label="History of tenant roles" events={history} isOfTenant />
      </Panel>
    </>
  )
}

function GivenRoles() {
  const [{ skip = '0' }] = useUrlState()
  const grants = useRoleGrants(Number(skip))
  const end = useEndRoleGrant()
  const confirm = useConfirm()
  const revoke = async ({ id, person, role }: RoleGrant) => {
    const isSure = await confirm({
      title: 'Remove role',
      message: `${person.name} loses ${role.name} within seconds. They can ask for it again.`,
    })
    if (isSure) end.mutate(id)
  }
  return (
    <Panel title="Granted on request">
      {end.error !== null && <ErrorPanel error={end.error} name="Revoke role" />}
      <PagedTable
        label="Roles granted on request"
        columns={columns}
        list={grants}
        rowKey={({ id }) => id}
        rowName={({ person, role }) => `${role.name} of ${person.name}`}
        rowMenu={(grant) => [{ label: 'Revoke', icon: IconUserMinus, onSelect: () => void revoke(grant) }]}
        rowsName="roles"
        empty={<EmptyState title="No roles granted on request" />}
      />
    </Panel>
  )
}
