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
  )
}
