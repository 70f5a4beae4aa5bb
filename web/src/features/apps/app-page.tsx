import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

export function AppPage() {
  return (
    <>
      <PageHeader title="App" />
      <EmptyState title="Nothing here yet" text="This app has no details to show." />
    </>
  )
}
