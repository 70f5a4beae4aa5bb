import type { ReactNode } from 'react'
import { useUrlState } from '../../../lib/url-state.ts'
import { Button } from '../../actions/button.tsx'
import { EmptyState } from '../../states/empty-state.tsx'

interface Props {
  page: { total: number } | undefined
  /** The rows in the plural, as in "No apps on this page any more". */
  rows: string
  /** Shown for a list that has no rows at all. */
  children: ReactNode
}

/** Content of a page without rows. Where the list has some, the last of this page were deleted, or the address is old. */
export function EmptyPage({ page, rows, children }: Props) {
  const [, setUrl] = useUrlState()
  if ((page?.total ?? 0) === 0) return children
  return (
    <EmptyState
      title={`No ${rows} on this page any more`}
      action={<Button onClick={() => setUrl({ skip: '' })}>To the first page</Button>}
    />
  )
}
