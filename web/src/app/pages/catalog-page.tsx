import { useMay } from '../../api/permissions/my-scopes.ts'
import { CatalogPage } from '../../features/catalog/catalog-page.tsx'
import { SourceList } from '../../features/catalog/sources/source-list.tsx'
import { useUrlState } from '../../lib/url-state.ts'
import { UrlTabs } from '../../ui/layout/url-tabs.tsx'

/** The items of the catalog, and where they come from for those who manage that. */
export function CatalogWithSources() {
  const [{ tab }] = useUrlState()
  const may = useMay()
  if (may('catalog.sources') !== true && tab !== 'sources') return <CatalogPage />
  return (
    <UrlTabs
      label="Catalog apps and sources"
      keeps={['space']}
      tabs={[
        { value: 'apps', title: 'Apps', panel: <CatalogPage /> },
        { value: 'sources', title: 'Sources', panel: <SourceList /> },
      ]}
    />
  )
}
