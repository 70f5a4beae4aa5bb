import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { lazy, Suspense, useEffect, useState } from 'react'
import styles from './palette-button.module.css'

const load = () => import('./palette.tsx')
const Palette = lazy(() => load().then((module) => ({ default: module.Palette })))
const keys = /mac/i.test(navigator.platform) ? '⌘ K' : 'Ctrl K'

/** Opens the command palette, as Ctrl/⌘ K does from anywhere; the palette itself is fetched on first use. */
export function PaletteButton() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen((before) => !before)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        className={styles.button}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        onPointerEnter={() => void load()}
      >
        <IconSearch size={16} stroke={1.75} aria-hidden />
        <span className={styles.text}>Search or jump to</span>
        <kbd className={styles.keys}>{keys}</kbd>
      </button>
      {open && (
        <Suspense>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
