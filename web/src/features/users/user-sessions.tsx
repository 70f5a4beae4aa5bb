import type { Consent, UserSession } from '@quayside/contract/users/credentials'
import type { UserDetail } from '@quayside/contract/users/endpoints'
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import { useGuard, useMay } from '../../api/permissions/my-scopes.ts'
import { useConsents, useEndSessions, useUserSessions } from '../../api/users/user-credentials.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { fullName } from './full-name.ts'
import styles from './users.module.css'

const sessionColumns: readonly Column<UserSession>[] = [
  {
    key: 'ip',
    title: 'Address',
    sortBy: ({ ipAddress }) => ipAddress,
    cell: ({ ipAddress, id }) => <NameCell below={id}>{ipAddress ?? 'Unknown address'}</NameCell>,
  },
  { key: 'clients', title: 'Clients', cell: ({ clients }) => <bdi>{clients.join(', ') || '–'}</bdi> },
  {
    ...{ key: 'startedAt', title: 'Signed in', sortBy: ({ startedAt }: UserSession) => startedAt },
    cell: ({ startedAt }) => <RelativeTime at={startedAt} />,
  },
  {
    ...{ key: 'lastAccessAt', title: 'Last seen', sortBy: ({ lastAccessAt }: UserSession) => lastAccessAt },
    cell: ({ lastAccessAt }) => <RelativeTime at={lastAccessAt} />,
  },
]

const consentColumns: readonly Column<Consent>[] = [
  {
    key: 'clientId',
    title: 'Client',
    sortBy: ({ clientId }) => clientId,
    cell: ({ clientId }) => <bdi>{clientId}</bdi>,
  },
  { key: 'scopes', title: 'Scopes', cell: ({ scopes }) => <bdi>{scopes.join(', ') || '–'}</bdi> },
  { key: 'grantedAt', title: 'Given', cell: ({ grantedAt }) => <RelativeTime at={grantedAt} /> },
]

/** Where the user is signed in, and the clients that they have consented to. */
export function UserSessions({ user }: { user: UserDetail }) {
  const sessions = useUserSessions(user.id)
  const end = useEndSessions(user.id)
  const confirm = useConfirm()
  const seesConsents = useMay()('user.see-consents') === true
  const name = fullName(user)
  const right = useGuard()('user.edit', `sign ${name} out`)
  const ask = async () => {
    const isSure = await confirm({
      title: 'Sign out everywhere',
      message: `All sessions of ${name} end.`,
      danger: true,
    })
    if (isSure) end.mutate()
  }
  return (
    <section aria-label="Sessions" className={styles.stack}>
      <div className={styles.bar}>
        <GuardedButton
          {...right}
          busy={end.isPending}
          disabled={(sessions.data?.length ?? 0) === 0}
          onClick={() => void ask()}
        >
          Sign out everywhere
        </GuardedButton>
      </div>
      {end.error !== null && <ErrorPanel error={end.error} name="Sign out everywhere" />}
      <DataTable
        sorts="all rows are here"
        label="Sessions"
        columns={sessionColumns}
        rows={sessions.data}
        rowKey={({ id }) => id}
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
        empty={<EmptyState icon={IconDeviceDesktop} title="Not signed in" text="This user has no session." />}
      />
      {seesConsents && <Consents id={user.id} />}
    </section>
  )
}

function Consents({ id }: { id: string }) {
  const consents = useConsents(id)
  return (
    <>
      <h2>Consents</h2>
      <DataTable
        sorts="all rows are here"
        label="Consents"
        columns={consentColumns}
        rows={consents.data}
        rowKey={({ clientId }) => clientId}
        error={consents.error}
        onRetry={() => void consents.refetch()}
        empty={<EmptyState title="No consents" text="This user has not allowed any client to act for them." />}
      />
    </>
  )
}
