import type { RequiredAction } from '@quayside/contract/realms/endpoints'
import { useRequiredActions } from '../../api/realms/realms.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'

const meanings: Readonly<Record<string, string>> = {
  CONFIGURE_TOTP: 'They set up an authenticator app as a second factor.',
  UPDATE_PASSWORD: 'They choose a new password that meets the rules on the page Policies.',
  UPDATE_PROFILE: 'They complete their name and e-mail address.',
  VERIFY_EMAIL: 'They open a link that is mailed to their address.',
  VERIFY_PROFILE: 'They fill in what is missing from their profile.',
  TERMS_AND_CONDITIONS: 'They accept the terms of use.',
  CONFIGURE_RECOVERY_AUTHN_CODES: 'They save recovery codes in case they lose their second factor.',
  'webauthn-register': 'They set up a security key as a second factor.',
  'webauthn-register-passwordless': 'They set up a passkey to sign in without a password.',
  UPDATE_EMAIL: 'They change their e-mail address.',
  delete_account: 'They may delete their own account.',
  delete_credential: 'They may delete one of their second factors.',
}

const columns: readonly Column<RequiredAction>[] = [
  {
    key: 'name',
    title: 'Action',
    sortBy: ({ name }) => name,
    cell: ({ alias, name }) => <NameCell below={alias}>{name}</NameCell>,
  },
  { key: 'means', title: 'Meaning', long: true, cell: ({ alias }) => <bdi>{meanings[alias] ?? '–'}</bdi> },
  {
    key: 'enabled',
    title: 'Enabled',
    sortBy: ({ enabled }) => (enabled ? 0 : 1),
    cell: ({ enabled }) => (enabled ? 'Yes' : 'No'),
  },
  {
    key: 'default',
    title: 'For every new user',
    sortBy: ({ defaultAction }) => (defaultAction ? 0 : 1),
    cell: ({ defaultAction }) => (defaultAction ? 'Yes' : 'No'),
  },
]

/** Actions that people can be asked for when they sign in. */
export function RequiredActions() {
  const actions = useRequiredActions()
  return (
    <Panel title="Required actions" flush>
      <DataTable
        sorts="all rows are here"
        label="Required actions"
        columns={columns}
        rows={actions.data}
        rowKey={({ alias }) => alias}
        error={actions.error}
        onRetry={() => void actions.refetch()}
        empty={
          <EmptyState
            title="No required actions"
            text="The identity server has no actions that it could require at sign-in."
          />
        }
      />
    </Panel>
  )
}
