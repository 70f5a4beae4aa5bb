import { useEffect, useMemo, useState } from 'react'

const settledMs = 300

/** A value once it has been the same for a moment, so that nothing is asked at every key. */
export function useDebounced<T>(value: T): T {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledMs)
    return () => clearTimeout(timer)
  }, [text])
  return useMemo(() => JSON.parse(settled) as T, [settled])
}
