import { useUrlState } from '../../../lib/url-state.ts'
import { Pager } from './pager.tsx'

/** The pager of a list whose place is kept in the address; nothing until the first page has come. */
export function UrlPager({ page }: { page: { skip: number; limit: number; total: number } | undefined }) {
  const [, setUrl] = useUrlState()
  return page && <Pager {...page} onSkip={(next) => setUrl({ skip: next === 0 ? '' : String(next) })} />
}
