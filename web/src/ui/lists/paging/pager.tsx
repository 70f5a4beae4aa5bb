import { Button } from '../../actions/button.tsx'
import styles from './pager.module.css'

interface Props {
  skip: number
  limit: number
  total: number
  onSkip: (skip: number) => void
}

/** '1–50 of 320' with the way to the pages around. */
export function Pager({ skip, limit, total, onSkip }: Props) {
  // Beyond the end the list itself says so, and leads back.
  if (skip >= total) return null
  const last = Math.min(skip + limit, total)
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span className="ltr">
        {skip + 1}–{last} of {total}
      </span>
      {total > limit && (
        <span className={styles.buttons}>
          <Button small disabled={skip === 0} onClick={() => onSkip(Math.max(0, skip - limit))}>
            Previous
          </Button>
          <Button small disabled={last >= total} onClick={() => onSkip(skip + limit)}>
            Next
          </Button>
        </span>
      )}
    </nav>
  )
}
