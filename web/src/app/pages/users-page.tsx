import { RoleRequests } from '../../features/permissions/requests/role-requests.tsx'
import { UsersPage } from '../../features/users/users-page.tsx'

/** The people of the tenant, and who asks for its roles. */
export function UsersWithRequests() {
  return <UsersPage requests={<RoleRequests />} />
}
