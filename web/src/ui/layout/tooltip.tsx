import { cloneElement, type ReactElement, useId, useRef, useState } from 'react'
import { type Placement, placeBeside } from './place-beside.ts'
import styles from './tooltip.module.css'

interface Props {
  text: string
  title?: string
  children: ReactElement<{ 'aria-describedby'?: string }>
}

const openDelayMs = 300

/** A short text on hover and focus; it sits in the browser's top layer, above dialogs too. Escape closes it. */
export function Tooltip({ text, title, children }: Props) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [place, setPlace] = useState<Placement>()

  const show = () => {
    const target = anchor.current?.firstElementChild
    if (target) setPlace(placeBeside(target.getBoundingClientRect(), document.documentElement.clientWidth))
  }
  const open = (delay: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(show, delay)
  }
  const close = () => {
    clearTimeout(timer.current)
    setPlace(undefined)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what happens on the control inside.
    <span
      ref={anchor}
      className={styles.anchor}
      onMouseEnter={() => open(openDelayMs)}
      onMouseLeave={close}
      onFocus={(event) => event.target.matches(':focus-visible') && open(0)}
      onBlur={close}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      {cloneElement(children, place === undefined ? {} : { 'aria-describedby': id })}
      {place !== undefined && (
        <span
          id={id}
          role="tooltip"
          popover="manual"
          className={styles.tip}
          style={place}
          ref={(tip) => {
            tip?.showPopover?.()
          }}
        >
          {title !== undefined && <strong>{title}</strong>}
          <bdi>{text}</bdi>
        </span>
      )}
    </span>
  )
}
