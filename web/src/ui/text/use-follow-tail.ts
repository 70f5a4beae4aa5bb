import { type RefObject, useEffect, useRef, useState } from 'react'

const slackPx = 8

interface Tail<E> {
  ref: RefObject<E | null>
  following: boolean
  follow: (on: boolean) => void
}

/**
 * Keeps a scrolling box at its end while lines come and while the box changes its size. Scrolling back lets go of the
 * end; scrolling to the end, or `follow(true)`, takes hold of it again.
 */
export function useFollowTail<E extends HTMLElement>(newest: unknown): Tail<E> {
  const ref = useRef<E>(null)
  const [following, setFollowing] = useState(true)
  useEffect(() => {
    const box = ref.current
    if (box === null) return
    let top = box.scrollTop
    const onScroll = () => {
      const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight <= slackPx
      // Only a way up is somebody's wish; a box that shrinks or fills is not.
      if (box.scrollTop < top && !atEnd) setFollowing(false)
      else if (atEnd && box.scrollTop > top) setFollowing(true)
      top = box.scrollTop
    }
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => box.removeEventListener('scroll', onScroll)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer line is the reason to scroll.
  useEffect(() => {
    const box = ref.current
    if (box === null || !following) return
    const toEnd = () => box.scrollTo({ top: box.scrollHeight })
    toEnd()
    const sizes = new ResizeObserver(toEnd)
    sizes.observe(box)
    return () => sizes.disconnect()
  }, [following, newest])
  return { ref, following, follow: setFollowing }
}
