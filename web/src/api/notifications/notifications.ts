import { notifications, type Subscriptions } from '@quayside/contract/notifications/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'
import { inboxKey, subscriptionsKey } from './inbox.ts'

export function useMarkNotice() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, isRead }: { id: string; isRead: boolean }) =>
      call(api, notifications.markNotice, { params: { id }, body: { isRead } }),
    onSettled: () => queries.invalidateQueries({ queryKey: inboxKey }),
  })
}

export function useReadNotices() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(api, notifications.readNotices),
    onSettled: () => queries.invalidateQueries({ queryKey: inboxKey }),
  })
}

export function useSubscriptions() {
  const { api } = usePortal()
  return useQuery({
    queryKey: subscriptionsKey,
    queryFn: ({ signal }) => call(api, notifications.subscriptions, { signal }),
  })
}

export function useSetSubscriptions() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Subscriptions) => call(api, notifications.setSubscriptions, { body }),
    onSuccess: (now) => queries.setQueryData(subscriptionsKey, now),
    onSettled: () => queries.invalidateQueries({ queryKey: inboxKey }),
  })
}
