import IconClockExclamation from '@tabler/icons-react/dist/esm/icons/IconClockExclamation.mjs'
import { useEffect, useState } from 'react'
import { Tooltip } from '../layout/tooltip.tsx'
import { classNames } from '../marks/class-names.ts'
import { endsSoon, exactTime, formatRemaining, shortDate } from './format-relative.ts'
import styles from './remaining-time.module.css'

const tickMs = 10_000

interface Props {
  until: string | null
  /** In a sentence: without the date. */
  inline?: boolean
  /** Leaves out the mark for a near end, for things that are short-lived anyway. */
  quiet?: boolean
}

/** When something ends by itself: the time that remains, the date below it, marked when it is soon. */
export function RemainingTime({ until, inline = false, quiet = false }: Props) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  if (until === null) return <span className={styles.never}>–</span>
  const soon = !quiet && endsSoon(until, now)
  return (
    <Tooltip text={exactTime(until)}>
      <time dateTime={until} className={classNames(styles.time, inline && styles.inline, soon && styles.soon)}>
        <span className={styles.words}>
          {soon && !inline && <IconClockExclamation size={14} stroke={1.75} aria-hidden />}
          {formatRemaining(until, now)}
        </span>
        {!inline && <bdi className={styles.date}>{shortDate(until)}</bdi>}
      </time>
    </Tooltip>
  )
}
