import { useEffect, useState } from 'react'
import type { Progress } from '../progress/progress.ts'
import { clockWords } from './elapsed.ts'

const tickMs = 1000

/**
 * How long an action has run, as mm:ss. One that ended is measured by the server's clock alone; one that was running
 * already when it was opened counts from its first event.
 */
export function useElapsed({ ended, startedAt, endedAt }: Progress): string {
  const [openedAt] = useState(Date.now)
  const [now, setNow] = useState(openedAt)
  useEffect(() => {
    if (ended) return
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [ended])
  const start = startedAt === undefined ? openedAt : Date.parse(startedAt)
  if (endedAt !== undefined) return clockWords(Date.parse(endedAt) - start)
  return clockWords(now - Math.min(openedAt, start))
}
