import { useEffect, useState } from 'react'
import { readAside } from './yaml/parse-in-worker.ts'

const restMs = 600

/** How many settings of a text that somebody types differ from the chart's own, known a moment after the first rest. */
export function useChanges(yaml: string, defaults: string, schema: unknown, isTyped: boolean): number | undefined {
  const [changes, setChanges] = useState<number>()
  useEffect(() => {
    if (!isTyped) return setChanges(undefined)
    let isOver = false
    const timer = setTimeout(async () => {
      const reading = await readAside(yaml, { defaults, schema })
      if (!isOver) setChanges(reading.changes ?? 0)
    }, restMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [yaml, defaults, schema, isTyped])
  return changes
}
