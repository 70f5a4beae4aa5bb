import { SignInEvents } from '../../features/events/sign-in-events.tsx'
import { RolesOf } from '../../features/role-mappings/roles-of.tsx'
import { UserPage } from '../../features/users/user-page.tsx'

/** A user with the roles that they have, and their own events. */
export function UserWithRoles() {
  return (
    <UserPage
      roles={(user) => <RolesOf kind="users" id={user.id} name={user.username} />}
      events={(user) => <SignInEvents userId={user.id} />}
    />
  )
}
