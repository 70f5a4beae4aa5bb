import type { UserDetail } from '@quayside/contract/users/endpoints'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useGuard, useMay } from '../../api/permissions/my-scopes.ts'
import { useDeleteUser, useUpdateUser, useUser } from '../../api/users/users.ts'
import { isGone } from '../../lib/api/api-error.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { buttonClass } from '../../ui/actions/button.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { CopyableId } from '../../ui/actions/copyable-id.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { useTellFailure } from '../../ui/actions/tell-failure.ts'
import { DetailHeader } from '../../ui/layout/detail-header.tsx'
import { UrlTabs } from '../../ui/layout/url-tabs.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { fullName } from './full-name.ts'
import { UserCredentials } from './user-credentials.tsx'
import { UserDetails } from './user-details.tsx'
import { UserGroups } from './user-groups.tsx'
import { UserSessions } from './user-sessions.tsx'
import styles from './users.module.css'

interface Props {
  /** The content of the Roles tab. */
  roles: (user: UserDetail) => ReactNode
  /** The tokens below the credentials. */
  tokens: (user: UserDetail) => ReactNode
  /** The content of the Events tab. */
  events: (user: UserDetail) => ReactNode
}

/** One user: who they are, what they hold, how they sign in and where they are signed in. */
export function UserPage(props: Props) {
  const { userId } = useParams({ from: '/users/$userId' })
  const user = useUser(userId)
  usePageTitle(user.data && fullName(user.data))
  if (isGone(user.error))
    return (
      <EmptyState
        title="This user does not exist"
        text="The user may have been deleted."
        action={
          <Link to="/users" className={buttonClass()}>
            Go to users
          </Link>
        }
      />
    )
  if (user.error !== null && user.data === undefined)
    return <ErrorPanel error={user.error} name="User" onRetry={() => void user.refetch()} />
  if (user.data === undefined) return <Loading />
  return <Tabbed key={userId} user={user.data} {...props} />
}

function Tabbed({ user, roles, tokens, events }: Props & { user: UserDetail }) {
  const may = useMay()
  const tabs = [
    { value: 'details', title: 'Details', isOpen: true, panel: <UserDetails user={user} /> },
    { value: 'roles', title: 'Roles', isOpen: may('user.see-roles') === true, panel: roles(user) },
    { value: 'groups', title: 'Groups', isOpen: may('user.see-groups') === true, panel: <UserGroups user={user} /> },
    {
      ...{ value: 'credentials', title: 'Credentials', isOpen: may('user.see-credentials') === true },
      panel: (
        <div className={styles.stack}>
          <UserCredentials user={user} />
          {tokens(user)}
        </div>
      ),
    },
    {
      ...{ value: 'sessions', title: 'Sessions', isOpen: may('user.see-sessions') === true },
      panel: <UserSessions user={user} />,
    },
    { value: 'events', title: 'Events', isOpen: may('events.see-sign-ins') === true, panel: events(user) },
  ].filter(({ isOpen }) => isOpen)
  return (
    <>
      <DetailHeader
        mark={<Avatar name={fullName(user)} size={36} round />}
        title={fullName(user)}
        below={<CopyableId id={user.id} label="user id" />}
        state={<StateBadge boxed state={user.enabled ? 'enabled' : 'disabled'} />}
        actions={<Actions user={user} />}
      />
      <UrlTabs label="About the user" tabs={tabs} />
    </>
  )
}

function Actions({ user }: { user: UserDetail }) {
  const guard = useGuard()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const update = useUpdateUser(user.id)
  const remove = useDeleteUser(user.id)
  const name = fullName(user)
  const tell = useTellFailure()
  const toggle = async () => {
    const isSure =
      !user.enabled ||
      (await confirm({
        title: 'Disable',
        message: `${name} is signed out everywhere and can no longer sign in.`,
        danger: true,
      }))
    if (isSure) update.mutate({ enabled: !user.enabled }, { onError: tell('Not changed') })
  }
  const ask = async () => {
    const isSure = await confirm({
      title: 'Delete user',
      message: `Delete ${name}? The user is removed from every group and every space. This cannot be undone.`,
      danger: true,
    })
    if (isSure)
      remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/users' }), onError: tell('Not deleted') })
  }
  return (
    <>
      <GuardedButton
        {...guard('user.edit', `${user.enabled ? 'disable' : 'enable'} ${name}`)}
        busy={update.isPending}
        onClick={() => void toggle()}
      >
        {user.enabled ? 'Disable' : 'Enable'}
      </GuardedButton>
      <GuardedButton
        {...guard('user.delete', `delete ${name}`)}
        icon={IconTrash}
        busy={remove.isPending}
        onClick={() => void ask()}
      >
        Delete
      </GuardedButton>
    </>
  )
}
