import type { Group } from '@quayside/contract/groups/endpoints'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { type ReactNode, useState } from 'react'
import { useGroups } from '../../api/groups.ts'
import { useGuard, useMay } from '../../api/permissions/my-scopes.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import layout from '../../ui/lists/columns.module.css'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { countGroups, findGroup } from './flatten-groups.ts'
import { GroupActions } from './group-actions.tsx'
import { NewGroupDialog } from './group-dialog.tsx'
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
  const guard = useGuard()
  const [adding, setAdding] = useState(false)
  const tree = groups.data
  const chosen = tree && group !== undefined ? findGroup(tree, group) : undefined
  const seesRoles = useMay()('group.see-roles') === true
  return (
    <>
      <PageHeader
        title="Groups"
        count={tree && countGroups(tree)}
        actions={
          <GuardedButton
            {...guard('group.create', 'make a group')}
            look="primary"
            icon={IconPlus}
            onClick={() => setAdding(true)}
          >
            New group
          </GuardedButton>
        }
        search={{ label: 'Group name', value: q, onChange: (text) => setUrl({ q: text }) }}
      />
      {groups.error !== null && <ErrorPanel error={groups.error} name="Groups" onRetry={() => void groups.refetch()} />}
      {groups.isLoading && <Loading />}
      {tree?.length === 0 && <EmptyState title="No groups" text="The groups of this tenant are listed here." />}
      {tree !== undefined && tree.length > 0 && (
        <div className={layout.columns}>
          <div className={layout.stack}>
            <GroupTree groups={tree} search={q} selected={group} onSelect={(id) => setUrl({ group: id })} />
            {chosen && <GroupActions group={chosen} groups={tree} onSelect={(id) => setUrl({ group: id ?? '' })} />}
            {chosen && seesRoles && <Panel title={`Roles of ${chosen.name}`}>{roles(chosen)}</Panel>}
          </div>
          <GroupMembers group={chosen} />
        </div>
      )}
      {adding && (
        <NewGroupDialog
          parent={undefined}
          onClose={() => setAdding(false)}
          onMade={(id) => {
            setAdding(false)
            setUrl({ group: id })
          }}
        />
      )}
    </>
  )
}
