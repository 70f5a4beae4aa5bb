import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

export function AppsPage() {
  return (
    <>
      <PageHeader title="Apps" />
      <EmptyState title="Nothing here yet" text="Apps appear here once they are deployed from the catalog." />
    </>
  )
}
