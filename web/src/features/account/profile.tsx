import { useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { Button } from '../../ui/actions/button.tsx'
import { CopyableId } from '../../ui/actions/copyable-id.tsx'
import { FactList, Panel } from '../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { ProfileDialog } from './profile-dialog.tsx'

/** Facts about the signed-in person is, and the way to change it. */
export function Profile() {
  const [editing, setEditing] = useState(false)
  const account = useAccount()
  if (account.error !== null)
    return <ErrorPanel error={account.error} name="Profile" onRetry={() => void account.refetch()} />
  const { data } = account
  if (data === undefined) {
    return (
      <Panel title="Profile">
        <Loading />
      </Panel>
    )
  }
  const list = (names: readonly string[]) => <bdi>{names.join(', ') || '–'}</bdi>
  return (
    <Panel
      title="Profile"
      aside={
        <Button small onClick={() => setEditing(true)}>
          Edit
        </Button>
      }
    >
      <FactList
        facts={[
          { name: 'User name', value: <bdi>{data.username}</bdi> },
          { name: 'First name', value: <bdi>{data.firstName ?? '–'}</bdi> },
          { name: 'Last name', value: <bdi>{data.lastName ?? '–'}</bdi> },
          { name: 'E-mail', value: <bdi>{data.email ?? '–'}</bdi> },
          { name: 'Realm', value: <bdi>{data.realm}</bdi> },
          { name: 'Groups', value: list(data.groups) },
          { name: 'Roles', value: list(data.realmRoles) },
          { name: 'User id', value: <CopyableId id={data.id} label="user id" /> },
        ]}
      />
      {editing && <ProfileDialog account={data} onClose={() => setEditing(false)} />}
    </Panel>
  )
}
