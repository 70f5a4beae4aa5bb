import { type ReactNode, useEffect } from 'react'
import { useUrlState } from '../../lib/url-state.ts'
import { classNames } from '../../ui/marks/class-names.ts'
import styles from './dashboard.module.css'
import { isLayerOpen } from './is-layer-open.ts'

/** Fills the window while the address says so; Escape ends that, unless something is open that it closes. */
export function FullScreen({ children }: { children: ReactNode }) {
  const [{ full }, setUrl] = useUrlState()
  const isFull = full === '1'
  useEffect(() => {
    if (!isFull) return
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !isLayerOpen()) setUrl({ full: '' })
    }
    // Before what Escape closes has gone.
    document.addEventListener('keydown', leave, { capture: true })
    return () => document.removeEventListener('keydown', leave, { capture: true })
  }, [isFull, setUrl])
  return <div className={classNames(isFull && styles.full)}>{children}</div>
}
