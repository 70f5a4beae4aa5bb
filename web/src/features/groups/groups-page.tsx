import { useGroups } from '../../api/groups.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import layout from '../../ui/lists/columns.module.css'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { countGroups } from './flatten-groups.ts'
import { GroupMembers } from './group-members.tsx'
import { GroupTree } from './group-tree.tsx'

/** The tree of groups, and who is in the one that is chosen. */
export function GroupsPage() {
  usePageTitle('Groups')
  const [{ q = '', group }, setUrl] = useUrlState()
  const groups = useGroups()
  const tree = groups.data
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
          <GroupTree groups={tree} search={q} selected={group} onSelect={(id) => setUrl({ group: id })} />
          <GroupMembers groups={tree} selected={group} />
        </div>
      )}
    </>
  )
}
