import type { Group } from '@quayside/contract/groups/endpoints'
import type { ReactNode } from 'react'
import { useGroups } from '../../api/groups.ts'
import { useMay } from '../../api/permissions/my-scopes.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import layout from '../../ui/lists/columns.module.css'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { countGroups, findGroup } from './flatten-groups.ts'
import { GroupMembers } from './group-members.tsx'
import { GroupTree } from './group-tree.tsx'

interface Props {
  /** The roles of the chosen group. */
  roles: (group: Group) => ReactNode
}

/** The tree of groups, and who is in the one that is chosen. */
export function GroupsPage({ roles }: Props) {
  usePageTitle('Groups')
  const [{ q = '', group }, setUrl] = useUrlState()
  const groups = useGroups()
  const tree = groups.data
  const chosen = tree && group !== undefined ? findGroup(tree, group) : undefined
  const seesRoles = useMay()('group.see-roles') === true
  return (
    <>
      <PageHeader
        title="Groups"
        count={tree && countGroups(tree)}
        search={{ label: 'Group name', value: q, onChange: (text) => setUrl({ q: text }) }}
      />
      {groups.error !== null && <ErrorPanel error={groups.error} name="Groups" onRetry={() => void groups.refetch()} />}
      {groups.isLoading && <Loading />}
      {tree?.length === 0 && <EmptyState title="No groups" text="Groups of this tenant's realm are listed here." />}
      {tree !== undefined && tree.length > 0 && (
        <div className={layout.columns}>
          <div className={layout.stack}>
            <GroupTree groups={tree} search={q} selected={group} onSelect={(id) => setUrl({ group: id })} />
            {chosen && seesRoles && <Panel title={`Roles of ${chosen.name}`}>{roles(chosen)}</Panel>}
          </div>
          <GroupMembers groups={tree} selected={group} />
        </div>
      )}
    </>
  )
}
