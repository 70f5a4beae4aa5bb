import { ClientPage } from '../../features/clients/client-page.tsx'
import { RolesOf } from '../../features/role-mappings/roles-of.tsx'
import { ClientRoles } from '../../features/roles/client-roles.tsx'

/** A client with the roles that it has, and those of its own account. */
export function ClientWithRoles() {
  return (
    <ClientPage
      roles={(client) => (
        <ClientRoles client={client} isKept={client.kind === 'portal' || client.kind === 'identity-server'} />
      )}
      accountRoles={({ id, username }) => <RolesOf kind="users" id={id} name={username} />}
    />
  )
}
