import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import { useState } from 'react'
import { useInbox } from '../../api/notifications/inbox.ts'
import { useMay, useOpens } from '../../api/permissions/my-scopes.ts'
import {
  explainKey,
  isRecent,
  useLiveRequests,
  useMyRequests,
  useRequestsToAnswer,
  useRoleRequestsToAnswer,
} from '../../api/permissions/open-requests.ts'
import { iconButtonClass } from '../../ui/actions/button.tsx'
import { Popover } from '../../ui/layout/popover.tsx'
import { classNames } from '../../ui/marks/class-names.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { lazily } from '../../ui/states/lazily.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import styles from './inbox.module.css'

const Notices = lazily(
  () => import('../../features/notifications/notice-list.tsx').then(({ NoticeList }) => NoticeList),
  <Loading />,
)
const Requests = lazily(
  () => import('../../features/permissions/requests/request-notices.tsx').then(({ RequestNotices }) => RequestNotices),
  <Loading />,
)

const seenKey = 'quayside.answersSeen'

/** The bell: what the person was told, who asks them for access, and answers to their own requests. */
export function Inbox() {
  const inbox = useInbox()
  const requests = useRequests()
  const notices = inbox.data?.data ?? []
  const count = (inbox.data?.unread ?? 0) + requests.waiting.length + requests.news
  const label = count === 0 ? 'Notifications' : `Notifications: ${wordsOf(inbox.data?.unread ?? 0, requests)}`
  const failed = [inbox, ...requests.queries].find(({ error, data }) => error !== null && data === undefined)
  const hasRequests = requests.waiting.length + requests.mine.length > 0
  return (
    <Popover
      label={label}
      buttonClass={classNames(iconButtonClass, styles.bell)}
      onClose={requests.see}
      button={
        <>
          <IconBell size={18} stroke={1.75} aria-hidden />
          {count > 0 && <bdi className={styles.count}>{count > 99 ? '99+' : count}</bdi>}
        </>
      }
    >
      {(close) => (
        <div className={styles.panel}>
          {failed && <ErrorPanel error={failed.error} name="Notifications" onRetry={() => void failed.refetch()} />}
          {notices.length > 0 && <Notices notices={notices} close={close} />}
          {hasRequests && <Requests waiting={requests.waiting} mine={requests.mine} close={close} />}
          {!failed && notices.length === 0 && !hasRequests && (
            <EmptyState
              title="No notifications"
              text="Failed actions, unhealthy apps, tokens that expire and requests for access appear here."
            />
          )}
        </div>
      )}
    </Popover>
  )
}

/** Requests that the person may answer, and their own; none for who may not open the pages where they are. */
function useRequests() {
  const opensSpaces = useOpens()('spaces')
  const managesRoles = useMay()('roles.requests') === true
  const isShown = opensSpaces || managesRoles
  useLiveRequests(explainKey)
  const [seen, setSeen] = useState(() => localStorage.getItem(seenKey) ?? '')
  const toAnswer = useRequestsToAnswer(undefined, isShown)
  const ofTenant = useRoleRequestsToAnswer(managesRoles)
  const own = useMyRequests(isShown)
  const waiting = [...(toAnswer.data?.data ?? []), ...(ofTenant.data?.data ?? [])]
  const mine = (own.data?.data ?? []).filter(({ answeredAt }) => isRecent(answeredAt))
  const see = () => {
    const last = mine.map(({ answeredAt }) => answeredAt ?? '').reduce((a, b) => (a > b ? a : b), seen)
    localStorage.setItem(seenKey, last)
    setSeen(last)
  }
  const news = mine.filter(({ answeredAt }) => answeredAt !== null && answeredAt > seen).length
  return { waiting, mine, news, see, queries: [toAnswer, ofTenant, own] }
}

function wordsOf(unread: number, { waiting, news }: Pick<ReturnType<typeof useRequests>, 'waiting' | 'news'>): string {
  const parts = [
    unread > 0 && `${unread} unread`,
    waiting.length > 0 && `${waiting.length} to answer`,
    news > 0 && `${news} answered`,
  ]
  return parts.filter(Boolean).join(', ')
}
