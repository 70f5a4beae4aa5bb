import type { Dashboard } from '@quayside/contract/dashboards/endpoints'
import { replaceEqualDeep } from '@tanstack/react-query'
import { useCallback, useState } from 'react'

/** The content of a dashboard that is being edited. */
export type Content = Pick<Dashboard, 'displayName' | 'description' | 'tags' | 'spec'>

interface History {
  before: readonly Content[]
  now: Content
  after: readonly Content[]
}
const mostSteps = 100

/**
 * A draft with undo and redo, which begins with the one that was kept; nothing saves by itself. A change that leaves
 * everything as it was is no step to undo.
 */
export function useDraft(start: Content, kept?: Content) {
  const [history, setHistory] = useState<History>(() =>
    kept === undefined ? { before: [], now: start, after: [] } : { before: [start], now: kept, after: [] },
  )
  const change = useCallback((next: (now: Content) => Content) => {
    setHistory((all) => {
      const changed = replaceEqualDeep(all.now, next(all.now))
      if (changed === all.now) return all
      return { before: [...all.before, all.now].slice(-mostSteps), now: changed, after: [] }
    })
  }, [])
  const undo = useCallback(() => {
    setHistory((all) => {
      const last = all.before.at(-1)
      return last === undefined ? all : { before: all.before.slice(0, -1), now: last, after: [all.now, ...all.after] }
    })
  }, [])
  const redo = useCallback(() => {
    setHistory((all) => {
      const [next, ...after] = all.after
      return next === undefined ? all : { before: [...all.before, all.now], now: next, after }
    })
  }, [])
  return {
    content: history.now,
    change,
    undo: history.before.length > 0 ? undo : undefined,
    redo: history.after.length > 0 ? redo : undefined,
    isChanged: history.before.length > 0,
  }
}
