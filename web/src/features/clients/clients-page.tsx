import { Tabs } from '@mantine/core'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { TabList } from '../../ui/layout/tab-list.tsx'
import { ClientList } from './client-list.tsx'
import { ScriptList } from './script-list.tsx'

/** Scripts, which sign in beside people, and on a tab of its own every client of the realm. */
export function ClientsPage() {
  const [{ tab }, setUrl] = useUrlState()
  const current = tab === 'clients' ? tab : 'scripts'
  usePageTitle(current === 'clients' ? 'Clients' : 'Service accounts')
  return (
<<<<<<< HEAD
    <Tabs
      value={current}
      onChange={(next) => setUrl({ tab: next === 'clients' ? next : '', q: '', kind: '', sort: '', skip: '' })}
      keepMounted={false}
    >
      <TabList value={current} label="Service accounts and clients">
        <Tabs.Tab value="scripts">Service accounts</Tabs.Tab>
        <Tabs.Tab value="clients">Clients</Tabs.Tab>
      </TabList>
      <Tabs.Panel value="scripts">
        <ScriptList />
      </Tabs.Panel>
      <Tabs.Panel value="clients">
        <ClientList />
      </Tabs.Panel>
    </Tabs>
=======
    <>
      <PageHeader title="Service accounts" count={clients.data?.length} actions={add} />
      <DataTable
        sorts="all rows are here"
        label="Service accounts"
        columns={columns}
        rows={clients.data}
        rowKey={({ id }) => id}
        rowName={({ clientId }) => clientId}
        rowMenu={(client) => [
          {
            label: 'Delete',
            icon: IconTrash,
            danger: true,
            onSelect: () => void remove(client),
            right: guard('script.delete', `delete ${client.clientId}`),
          },
        ]}
        error={clients.error}
        onRetry={() => void clients.refetch()}
        empty={
          <EmptyState
            icon={IconKey}
            title="No service accounts"
            text="A script signs in with one, and has the permissions of its roles."
            action={add}
          />
        }
      />
      {adding && <ClientDialog onClose={() => setAdding(false)} />}
    </>
>>>>>>> main
  )
}
