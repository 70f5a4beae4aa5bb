import { useEffect, useState } from 'react'

/** mm:ss since it was first shown, standing still once `stopped`. */
export function useElapsed(stopped: boolean): string {
  const [startedAt] = useState(Date.now)
  const [now, setNow] = useState(startedAt)
  useEffect(() => {
    if (stopped) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [stopped])
  const seconds = Math.max(0, Math.floor((now - startedAt) / 1000))
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
}
