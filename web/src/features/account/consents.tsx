import type { Consent } from '@quayside/contract/users/credentials'
import IconUserMinus from '@tabler/icons-react/dist/esm/icons/IconUserMinus.mjs'
import { useOwnConsents, useRevokeConsent } from '../../api/account.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './sessions.module.css'

const columns: readonly Column<Consent>[] = [
  { key: 'clientId', title: 'Client', cell: ({ clientId }) => <NameCell>{clientId}</NameCell> },
  { key: 'scopes', title: 'May see', cell: ({ scopes }) => <bdi>{scopes.join(', ') || '–'}</bdi> },
  { key: 'grantedAt', title: 'Given', cell: ({ grantedAt }) => <RelativeTime at={grantedAt} /> },
]

/** Clients that the person has let see something of them, with the way back. */
export function Consents() {
  const consents = useOwnConsents()
  const revoke = useRevokeConsent()
  const confirm = useConfirm()
  const ask = async (clientId: string) => {
    const isSure = await confirm({
      title: 'Revoke consent',
      message: `${clientId} is signed out and will ask for your consent again at the next sign-in.`,
    })
    if (isSure) revoke.mutate(clientId)
  }
  return (
    <section aria-label="Consents" className={styles.sessions}>
      <h2>Consents</h2>
      {revoke.error !== null && <ErrorPanel error={revoke.error} name="Revoke consent" />}
      <DataTable
        sorts="all rows are here"
        label="Consents"
        columns={columns}
        rows={consents.data}
        rowKey={({ clientId }) => clientId}
        rowName={({ clientId }) => clientId}
        rowMenu={({ clientId }) => [{ label: 'Revoke', icon: IconUserMinus, onSelect: () => void ask(clientId) }]}
        error={consents.error}
        onRetry={() => void consents.refetch()}
        empty={<EmptyState title="No consents" text="You have not allowed any client to use your account." />}
      />
    </section>
  )
}
