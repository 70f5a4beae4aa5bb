import { useEffect, useState } from 'react'
import { Tooltip } from '../layout/tooltip.tsx'
import { exactTime, formatRelative } from './format-relative.ts'

const tickMs = 10_000

/** How long ago, kept up to date; the exact time is in the tooltip. */
export function RelativeTime({ at }: { at: string | null | undefined }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  if (at == null) return <span>–</span>
  return (
    <Tooltip text={exactTime(at)}>
      <time dateTime={at} dir="ltr" className="ltr">
        {formatRelative(at, now)}
      </time>
    </Tooltip>
  )
}
