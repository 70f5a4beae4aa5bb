import { useEffect } from 'react'
import { isLayerOpen } from '../is-layer-open.ts'
import type { useDraft } from './use-draft.ts'

const hasOwnUndo = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** Undoes by Ctrl+Z and redoes by Ctrl+Shift+Z, with Command on a Mac; fields and dialogs keep these keys for themselves. */
export function useUndoKeys({ undo, redo }: Pick<ReturnType<typeof useDraft>, 'undo' | 'redo'>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isOurs = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.altKey
      if (!isOurs || hasOwnUndo(event.target) || isLayerOpen()) return
      event.preventDefault()
      if (event.shiftKey) redo?.()
      else undo?.()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [undo, redo])
}
