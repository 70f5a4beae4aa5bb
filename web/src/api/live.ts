import type { Topic } from '@quayside/contract/live/live'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { usePortal } from '../lib/portal.tsx'

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
