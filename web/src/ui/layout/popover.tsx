import { type ReactNode, useId, useRef, useState } from 'react'
import { keptInside, type Placement, placeBeside, topAbove } from './place-beside.ts'
import styles from './popover.module.css'

interface Props {
  /** The button's accessible name. */
  label: string
  button: ReactNode
  buttonClass?: string
  /** Called after the panel has closed, in whichever way. */
  onClose?: () => void
  /** Drawn only while open. */
  children: (close: () => void) => ReactNode
}

/** A button with a panel that closes on Escape and on a click outside; the browser sees to both. */
export function Popover({ label, button, buttonClass, onClose, children }: Props) {
  const id = useId()
  const trigger = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<Placement>()
  return (
    <>
      <button
        ref={trigger}
        type="button"
        aria-label={label}
        aria-expanded={place !== undefined}
        title={label}
        className={buttonClass}
        popoverTarget={id}
      >
        {button}
      </button>
      <div
        ref={panel}
        id={id}
        role="dialog"
        aria-label={label}
        popover="auto"
        className={styles.panel}
        style={place}
        onBeforeToggle={(event) => {
          const rect = trigger.current?.getBoundingClientRect()
          const opens = event.newState === 'open' && rect !== undefined
          setPlace(opens ? placeBeside(rect, document.documentElement.clientWidth) : undefined)
          if (!opens) onClose?.()
        }}
        onToggle={(event) => {
          // Only now does it have a size: where there is no room below the button it goes above.
          const anchor = trigger.current?.getBoundingClientRect()
          if (event.newState !== 'open' || anchor === undefined) return
          const { bottom, height, width } = event.currentTarget.getBoundingClientRect()
          const { clientHeight, clientWidth } = document.documentElement
          const above = bottom > clientHeight ? { top: topAbove(anchor.top, height) } : {}
          setPlace((below) => below && { ...keptInside(below, width, clientWidth), ...above })
        }}
      >
        {place !== undefined && children(() => panel.current?.hidePopover())}
      </div>
    </>
  )
}
