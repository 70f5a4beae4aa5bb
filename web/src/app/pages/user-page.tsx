import { SignInEvents } from '../../features/events/sign-in-events.tsx'
import { TokensOfUser } from '../../features/personal-tokens/tokens-of-user.tsx'
import { RolesOf } from '../../features/role-mappings/roles-of.tsx'
import { UserPage } from '../../features/users/user-page.tsx'

/** A user with the roles that they have, their tokens, and their own events. */
export function UserWithRoles() {
  return (
    <UserPage
      roles={(user) => <RolesOf kind="users" id={user.id} name={user.username} />}
      tokens={(user) => <TokensOfUser id={user.id} name={user.username} />}
      events={(user) => <SignInEvents userId={user.id} />}
    />
  )
}
