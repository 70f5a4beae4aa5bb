import { useUrlState } from '../../../lib/url-state.ts'
import { Button } from '../../actions/button.tsx'
import styles from './pager.module.css'

interface Props {
  page: { skip: number; limit: number } | undefined
  /** Rows on this page. */
  count: number
  hasMore: boolean
}

/** The pager of a list whose end nobody knows, the newest first: its place is kept in the address. */
export function OpenPager({ page, count, hasMore }: Props) {
  const [, setUrl] = useUrlState()
  if (page === undefined || count === 0) return null
  const { skip, limit } = page
  const go = (next: number) => setUrl({ skip: next <= 0 ? '' : String(next) })
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span className="ltr">
        {skip + 1}–{skip + count}
      </span>
      {(skip > 0 || hasMore) && (
        <span className={styles.buttons}>
          <Button small disabled={skip === 0} onClick={() => go(skip - limit)}>
            Newer
          </Button>
          <Button small disabled={!hasMore} onClick={() => go(skip + limit)}>
            Older
          </Button>
        </span>
      )}
    </nav>
  )
}
