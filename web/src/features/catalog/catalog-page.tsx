import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

export function CatalogPage() {
  return (
    <>
      <PageHeader title="Catalog apps" />
      <EmptyState title="Nothing here yet" text="Packages that are uploaded appear here." />
    </>
  )
}
