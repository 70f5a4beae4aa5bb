import type { Topic } from '@quayside/contract/live/live'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { usePortal } from '../lib/portal.tsx'

/**
 * Reads a query again when the server says that one of these topics changed, though not more often than each `minIntervalMs`: for
 * what stands on every page and changes with much that happens elsewhere.
 */
export function useLiveThrottled(topics: readonly Topic[], key: QueryKey, minIntervalMs: number): void {
  const { api, live } = usePortal()
  const queries = useQueryClient()
  const wanted = JSON.stringify([topics, key])
  useEffect(() => {
    const [about, queryKey] = JSON.parse(wanted) as [Topic[], QueryKey]
    let timer: number | undefined
    let readAt = Number.NEGATIVE_INFINITY
    const read = () => {
      timer = undefined
      readAt = performance.now()
      api.forget()
      void queries.invalidateQueries({ queryKey })
    }
    const hear = () => {
      timer ??= window.setTimeout(read, Math.max(0, readAt + minIntervalMs - performance.now()))
    }
    const stops = about.map((topic) => live.watch(topic, hear))
    return () => {
      window.clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [api, live, queries, wanted, minIntervalMs])
}

/** Reads these queries again whenever the server says that the topic changed. */
export function useLive(topic: Topic, ...keys: QueryKey[]): void {
  const { api, live } = usePortal()
  const queries = useQueryClient()
  const wanted = JSON.stringify([topic, keys])
  useEffect(() => {
    const [about, stale] = JSON.parse(wanted) as [Topic, QueryKey[]]
    return live.watch(about, () => {
      api.forget()
      for (const queryKey of stale) void queries.invalidateQueries({ queryKey })
    })
  }, [api, live, queries, wanted])
}
