import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import { useState } from 'react'
import {
  explainKey,
  isRecent,
  useLiveRequests,
  useMyRequests,
  useRequestsToAnswer,
  useRoleRequestsToAnswer,
} from '../../api/permissions/access-requests.ts'
import { useMay, useOpens } from '../../api/permissions/my-scopes.ts'
import { iconButtonClass } from '../../ui/actions/button.tsx'
import { Popover } from '../../ui/layout/popover.tsx'
import { classNames } from '../../ui/marks/class-names.ts'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { lazily } from '../../ui/states/lazily.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import styles from './access-requests.module.css'

const Notices = lazily(
  () => import('../../features/permissions/requests/request-notices.tsx').then(({ RequestNotices }) => RequestNotices),
  <Loading />,
)

const seenKey = 'quayside.answersSeen'

/** The bell: who asks the person for access, and answers to their own requests that they have not seen. */
export function AccessRequests() {
  const opensSpaces = useOpens()('spaces')
  const managesRoles = useMay()('roles.requests') === true
  return opensSpaces || managesRoles ? <Bell managesRoles={managesRoles} /> : null
}

function Bell({ managesRoles }: { managesRoles: boolean }) {
  useLiveRequests(explainKey)
  const [seen, setSeen] = useState(() => localStorage.getItem(seenKey) ?? '')
  const toAnswer = useRequestsToAnswer()
  const ofTenant = useRoleRequestsToAnswer(managesRoles)
  const own = useMyRequests()
  const waiting = [...(toAnswer.data?.data ?? []), ...(ofTenant.data?.data ?? [])]
  const mine = (own.data?.data ?? []).filter(({ answeredAt }) => isRecent(answeredAt))
  const news = mine.filter(({ answeredAt }) => answeredAt !== null && answeredAt > seen).length
  const count = waiting.length + news
  const label = count === 0 ? 'Access requests' : `Access requests: ${wordsOf(waiting.length, news)}`
  const failed = [toAnswer, ofTenant, own].find(({ error, data }) => error !== null && data === undefined)
  const see = () => {
    const last = mine.map(({ answeredAt }) => answeredAt ?? '').reduce((a, b) => (a > b ? a : b), seen)
    localStorage.setItem(seenKey, last)
    setSeen(last)
  }
  return (
    <span className={count === 0 ? styles.quiet : undefined}>
      <Popover
        label={label}
        buttonClass={classNames(iconButtonClass, styles.bell)}
        onClose={see}
        button={
          <>
            <IconBell size={18} stroke={1.75} aria-hidden />
            {count > 0 && <bdi className={styles.count}>{count > 99 ? '99+' : count}</bdi>}
          </>
        }
      >
        {(close) => (
          <div className={styles.panel}>
            {failed ? (
              <ErrorPanel error={failed.error} name="Access requests" onRetry={() => void failed.refetch()} />
            ) : (
              <Notices waiting={waiting} mine={mine} close={close} />
            )}
          </div>
        )}
      </Popover>
    </span>
  )
}

function wordsOf(waiting: number, news: number): string {
  const parts = [waiting > 0 && `${waiting} to answer`, news > 0 && `${news} answered`]
  return parts.filter(Boolean).join(', ')
}
