import { type RefObject, useEffect, useRef, useState } from 'react'

/** The inner width of an element, live; 0 until it is drawn. */
export function useWidth<E extends HTMLElement>(): [RefObject<E | null>, number] {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (ref.current === null) return
    const sizes = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    sizes.observe(ref.current)
    return () => sizes.disconnect()
  }, [])
  return [ref, width]
}
