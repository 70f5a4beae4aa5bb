import { Tabs } from '@mantine/core'
import { AppLinkList } from '../../features/app-links/app-link-list.tsx'
import { AppsPage } from '../../features/apps/apps-page.tsx'
import { useUrlState } from '../../lib/url-state.ts'
import { TabList } from '../../ui/layout/tab-list.tsx'

/** Everything that the address keeps of one list, and the other list does not have. */
const ofLists = { q: '', sort: '', skip: '', space: '', cluster: '', state: '', kind: '', tag: '' }

/** The apps of the tenant, and the links that lead out of it. */
export function AppsWithLinks() {
  const [{ tab }, setUrl] = useUrlState()
  const current = tab === 'links' ? 'links' : 'apps'
  return (
    <Tabs
      value={current}
      onChange={(next) => setUrl({ ...ofLists, tab: next === 'links' ? 'links' : '' })}
      keepMounted={false}
    >
      <TabList value={current} label="Apps and links">
        <Tabs.Tab value="apps">Apps</Tabs.Tab>
        <Tabs.Tab value="links">App links</Tabs.Tab>
      </TabList>
      <Tabs.Panel value="apps">
        <AppsPage />
      </Tabs.Panel>
      <Tabs.Panel value="links">
        <AppLinkList />
      </Tabs.Panel>
    </Tabs>
  )
}
