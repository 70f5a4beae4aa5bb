import { type ReactNode, useId, useRef, useState } from 'react'
import { type Placement, placeBeside, topAbove } from './place-beside.ts'
import styles from './popover.module.css'

interface Props {
  /** The button's accessible name. */
  label: string
  button: ReactNode
  buttonClass?: string
  /** Drawn only while open. */
  children: (close: () => void) => ReactNode
}

/** A button with a panel that closes on Escape and on a click outside; the browser sees to both. */
export function Popover({ label, button, buttonClass, children }: Props) {
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
        }}
        onToggle={(event) => {
          // Only now does it have a height: where there is no room below the button it goes above.
          const anchor = trigger.current?.getBoundingClientRect()
          const { bottom, height } = event.currentTarget.getBoundingClientRect()
          if (event.newState !== 'open' || anchor === undefined || bottom <= document.documentElement.clientHeight)
            return
          setPlace((below) => below && { ...below, top: topAbove(anchor.top, height) })
        }}
      >
        {place !== undefined && children(() => panel.current?.hidePopover())}
      </div>
    </>
  )
}
