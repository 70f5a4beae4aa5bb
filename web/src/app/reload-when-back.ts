import { useEffect } from 'react'
import { isPartMissing, isPassing } from '../lib/api/api-error.ts'

const key = 'quayside.reloads'
const firstMs = 2000
const longestMs = 60_000
/** A page that lives this long was loaded well. */
const wellAfterMs = 60_000

/** How often this tab has loaded the page anew by itself without it going well. */
const reloads = () => Number(sessionStorage.getItem(key) ?? 0)

/** Forgets earlier tries once the page has been well for a while; before, a page that fails at once would go round. */
export function noteStarted(): void {
  setTimeout(() => sessionStorage.removeItem(key), wellAfterMs)
}

/** How long before the next look, the longer the more often loading anew has not helped. */
export function pauseMs(looks: number, reloaded: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(10, looks + reloaded))
}

/** Loads the page anew as soon as the portal answers again; for errors that this can mend. */
export function useReloadWhenBack(error: unknown): void {
  const isAway = isPassing(error) || isPartMissing(error)
  useEffect(() => {
    if (!isAway) return
    let timer: ReturnType<typeof setTimeout>
    let looks = 0
    let stopped = false
    const look = async () => {
      clearTimeout(timer)
      const isBack = await fetch(import.meta.env.BASE_URL, { cache: 'no-store' }).then(
        ({ ok }) => ok,
        () => false,
      )
      if (stopped) return
      looks += 1
      if (!isBack) return wait()
      sessionStorage.setItem(key, String(reloads() + 1))
      window.location.reload()
    }
    const again = () => void look()
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(again, pauseMs(looks, reloads()))
    }
    wait()
    window.addEventListener('online', again)
    return () => {
      stopped = true
      clearTimeout(timer)
      window.removeEventListener('online', again)
    }
  }, [isAway])
}
