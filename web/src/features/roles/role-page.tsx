import type { RoleDetail } from '@quayside/contract/roles/endpoints'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useDeleteRole, useRole } from '../../api/roles.ts'
import { isGone } from '../../lib/api/api-error.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { buttonClass } from '../../ui/actions/button.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { CopyableId } from '../../ui/actions/copyable-id.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { useTellFailure } from '../../ui/actions/tell-failure.ts'
import { DetailHeader } from '../../ui/layout/detail-header.tsx'
import { UrlTabs } from '../../ui/layout/url-tabs.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { RoleDetails } from './role-details.tsx'
import { RoleParts } from './role-parts.tsx'
import { RoleUsers } from './role-users.tsx'

/** One role of the realm: its name, the roles inside of it, and who holds it. */
export function RolePage() {
  const { roleId } = useParams({ from: '/roles/$roleId' })
  const role = useRole(roleId)
  usePageTitle(role.data?.name)
  if (isGone(role.error))
    return (
      <EmptyState
        title="This role does not exist"
        text="It may have been deleted."
        action={
          <Link to="/roles" className={buttonClass()}>
            Go to roles
          </Link>
        }
      />
    )
  if (role.error !== null && role.data === undefined)
    return <ErrorPanel error={role.error} name="Role" onRetry={() => void role.refetch()} />
  if (role.data === undefined) return <Loading />
  return <Tabbed key={roleId} role={role.data} />
}

function Tabbed({ role }: { role: RoleDetail }) {
  return (
    <>
      <DetailHeader
        title={role.name}
        below={<CopyableId id={role.id} label="role id" />}
        actions={<Delete role={role} />}
      />
      <UrlTabs
        label="About the role"
        tabs={[
          { value: 'details', title: 'Details', panel: <RoleDetails role={role} /> },
          { value: 'parts', title: 'Roles inside', panel: <RoleParts role={role} /> },
          { value: 'users', title: 'Users', panel: <RoleUsers role={{ name: role.name }} /> },
        ]}
      />
    </>
  )
}

function Delete({ role }: { role: RoleDetail }) {
  const right = useGuard()('role.delete', `delete ${role.name}`)
  const confirm = useConfirm()
  const navigate = useNavigate()
  const tell = useTellFailure()
  const remove = useDeleteRole()
  if (role.builtIn) return null
  const ask = async () => {
    const isSure = await confirm({
      title: 'Delete role',
      message: `Delete ${role.name}? Everyone who has it loses it and all the roles it contains. This cannot be undone.`,
      danger: true,
    })
    if (!isSure) return
    remove.mutate(role.id, {
      onSuccess: () => void navigate({ to: '/roles' }),
      onError: tell('Not deleted'),
    })
  }
  return (
    <GuardedButton {...right} icon={IconTrash} busy={remove.isPending} onClick={() => void ask()}>
      Delete
    </GuardedButton>
  )
}
