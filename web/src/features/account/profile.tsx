import { useAccount } from '../../api/account.ts'
import { CopyableId } from '../../ui/actions/copyable-id.tsx'
import { FactList, Panel } from '../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'

export function Profile() {
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
    <Panel title="Profile">
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
    </Panel>
  )
}
