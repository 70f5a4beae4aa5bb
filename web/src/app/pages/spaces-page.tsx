import { CostBySpace } from '../../features/cost/amounts/place-costs.tsx'
import { FirstMembers } from '../../features/permissions/members/first-members.tsx'
import { RequestLists } from '../../features/permissions/requests/request-lists.tsx'
import { SpaceRolesPanel } from '../../features/permissions/roles/space-roles-panel.tsx'
import { SpacesPage } from '../../features/spaces/spaces-page.tsx'

/** The spaces, what they cost, the roles that can be given in them, and who asks for one. */
export function SpacesWithRoles() {
  return (
    <SpacesPage
      cost={<CostBySpace />}
      roles={<SpaceRolesPanel />}
      requests={<RequestLists />}
      firstMembers={(members, onChange) => <FirstMembers value={members} onChange={onChange} />}
    />
  )
}
