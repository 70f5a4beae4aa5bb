import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { openTab, UrlTabs } from '../../ui/layout/url-tabs.tsx'
import { ClientList } from './client-list.tsx'
import { ScriptList } from './script-list.tsx'

const tabs = [
  { value: 'scripts', title: 'Service accounts', panel: <ScriptList /> },
  { value: 'clients', title: 'Clients', panel: <ClientList /> },
]

/** Scripts, which sign in beside people, and on a tab of its own every client of the realm. */
export function ClientsPage() {
  const [{ tab }] = useUrlState()
  usePageTitle(openTab(tabs, tab)?.title)
  return <UrlTabs label="Service accounts and clients" tabs={tabs} />
}
