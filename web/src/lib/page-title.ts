import { useEffect, useSyncExternalStore } from 'react'
import { createEmitter } from './emitter.ts'

const changed = createEmitter<void>()
let current: string | undefined

/** Names the page in the window's title and as the last crumb: 'Podinfo' on an app's page. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return
    current = title
    document.title = `${title} · Quayside`
    changed.emit()
    return () => {
      current = undefined
      document.title = 'Quayside'
      changed.emit()
    }
  }, [title])
}

export function useCurrentPageTitle(): string | undefined {
  return useSyncExternalStore(changed.on, () => current)
}
