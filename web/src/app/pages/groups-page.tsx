import { GroupsPage } from '../../features/groups/groups-page.tsx'
import { RolesOf } from '../../features/role-mappings/roles-of.tsx'

/** The groups, each with the roles that its members have by it. */
export function GroupsWithRoles() {
  return <GroupsPage roles={(group) => <RolesOf kind="groups" id={group.id} name={group.name} />} />
}
