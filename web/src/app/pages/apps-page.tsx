import { AppLinkList } from '../../features/app-links/app-link-list.tsx'
import { AppsPage } from '../../features/apps/apps-page.tsx'
import { UrlTabs } from '../../ui/layout/url-tabs.tsx'

/** The apps of the tenant, and the links that lead out of it. */
export function AppsWithLinks() {
  return (
    <UrlTabs
      label="Apps and links"
      tabs={[
        { value: 'apps', title: 'Apps', panel: <AppsPage /> },
        { value: 'links', title: 'App links', panel: <AppLinkList /> },
      ]}
    />
  )
}
