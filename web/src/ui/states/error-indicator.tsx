import { errorTooltip } from '../../lib/api/api-error.ts'
import { Tooltip } from '../layout/tooltip.tsx'
import styles from './error-indicator.module.css'

/** An '!' where a small thing failed; the tooltip says what. */
export function ErrorIndicator({ error }: { error: unknown }) {
  const text = errorTooltip(error)
  return (
    <Tooltip title="Error!" text={text}>
      <button type="button" className={styles.indicator} aria-label={`Error! ${text}`}>
        !
      </button>
    </Tooltip>
  )
}
