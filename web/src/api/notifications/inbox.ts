import { notifications } from '@quayside/contract/notifications/endpoints'
import { useQuery } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'
import { useLive, useLiveThrottled } from '../live.ts'

export const inboxKey = ['inbox'] as const
export const subscriptionsKey = ['subscriptions'] as const
/** Apps and actions can change many times a second. */
const minIntervalMs = 5000

/** News for the signed-in person, and how much of it is unread. */
export function useInbox() {
  const { api, me } = usePortal()
  useLive({ topic: 'inbox', id: me().userId }, inboxKey, subscriptionsKey)
  useLiveThrottled([{ topic: 'actions' }, { topic: 'apps' }], inboxKey, minIntervalMs)
  return useQuery({ queryKey: inboxKey, queryFn: ({ signal }) => call(api, notifications.listNotices, { signal }) })
}
