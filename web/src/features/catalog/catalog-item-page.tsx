import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

export function CatalogItemPage() {
  return (
    <>
      <PageHeader title="Catalog app" />
      <EmptyState title="Nothing here yet" text="This item has no details to show." />
    </>
  )
}
