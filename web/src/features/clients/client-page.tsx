import type { ClientDetail } from '@quayside/contract/clients/administration'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useClient } from '../../api/clients.ts'
import { useMay } from '../../api/permissions/my-scopes.ts'
import { isGone } from '../../lib/api/api-error.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { buttonClass } from '../../ui/actions/button.tsx'
import { CopyableId } from '../../ui/actions/copyable-id.tsx'
import { DetailHeader } from '../../ui/layout/detail-header.tsx'
import { UrlTabs } from '../../ui/layout/url-tabs.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { ClientActions } from './client-actions.tsx'
import { ClientSessions } from './client-sessions.tsx'
import { ClientSettings } from './client-settings.tsx'
import { ClientTokens } from './client-tokens.tsx'

interface Props {
  /** The content of the tab with the client's roles. */
  roles: (client: ClientDetail) => ReactNode
  /** The roles of the account that the client signs in as itself with. */
  accountRoles: (account: { id: string; username: string }) => ReactNode
}

/** One client: its settings, its roles, what its tokens carry, and who is signed in with it. */
export function ClientPage(props: Props) {
  const { clientId } = useParams({ from: '/users/clients/$clientId' })
  const client = useClient(clientId)
  usePageTitle(client.data?.clientId)
  if (isGone(client.error))
    return (
      <EmptyState
        title="This client does not exist"
        text="It may have been deleted."
        action={
          <Link to="/users/service-accounts" search={{ tab: 'clients' }} className={buttonClass()}>
            To the clients
          </Link>
        }
      />
    )
  if (client.error !== null && client.data === undefined)
    return <ErrorPanel error={client.error} name="Client" onRetry={() => void client.refetch()} />
  if (client.data === undefined) return <Loading />
  return <Tabbed key={clientId} client={client.data} {...props} />
}

function Tabbed({ client, roles, accountRoles }: Props & { client: ClientDetail }) {
  const may = useMay()
  const { serviceAccount: account } = client
  const tabs = [
    { value: 'settings', title: 'Settings', isOpen: true, panel: <ClientSettings client={client} /> },
    { value: 'roles', title: 'Roles', isOpen: true, panel: roles(client) },
    { value: 'tokens', title: 'Tokens', isOpen: true, panel: <ClientTokens client={client} /> },
    {
      ...{ value: 'account', title: 'Service account', isOpen: account !== null && may('user.see-roles') === true },
      panel: account && accountRoles(account),
    },
    {
      ...{ value: 'sessions', title: 'Sessions', isOpen: may('client.see-sessions') === true },
      panel: <ClientSessions client={client} />,
    },
  ].filter(({ isOpen }) => isOpen)
  return (
    <>
      <DetailHeader
        title={client.clientId}
        below={<CopyableId id={client.id} label="client id" />}
        state={<StateBadge boxed state={client.enabled ? 'enabled' : 'disabled'} />}
        actions={<ClientActions client={client} />}
      />
      <UrlTabs label="About the client" tabs={tabs} />
    </>
  )
}
