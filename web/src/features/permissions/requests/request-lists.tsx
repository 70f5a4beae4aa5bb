import type { ListReply } from '@quayside/contract/http/paging'
import type { AccessRequest } from '@quayside/contract/permissions/access-requests'
import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLiveRequests, useMyRequests, useRequestsToAnswer } from '../../../api/permissions/open-requests.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import layout from '../../../ui/lists/columns.module.css'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import styles from './request-card.module.css'
import { OwnRequestCard, RequestCard } from './request-card.tsx'

/** Every request that the person may answer, and all that they have asked for themselves. */
export function RequestLists() {
  useLiveRequests()
  const waiting = useRequestsToAnswer()
  const mine = useMyRequests()
  return (
    <div className={layout.columns}>
      <RequestList
        title="To answer"
        found={waiting}
        empty={<EmptyState icon={IconInbox} title="No requests are waiting for you" />}
        draw={(request, among) => <RequestCard key={request.id} request={request} among={among} withSpace />}
      />
      <RequestList
        title="Your requests"
        found={mine}
        empty={
          <EmptyState
            title="You have not made any requests"
            text="A control that is closed to you says what it needs. You can ask for it there."
          />
        }
        draw={(request) => <OwnRequestCard key={request.id} request={request} withSpace />}
      />
    </div>
  )
}

interface ListProps {
  title: string
  found: UseQueryResult<ListReply<AccessRequest>>
  empty: ReactNode
  draw: (request: AccessRequest, all: readonly AccessRequest[]) => ReactNode
}

/** A list of requests as cards. */
export function RequestList({ title, found, empty, draw }: ListProps) {
  const rows = found.data?.data
  return (
    <Panel title={title} aside={rows !== undefined && <bdi>{found.data?.page.total}</bdi>}>
      {rows === undefined && found.error !== null && (
        <ErrorPanel error={found.error} name={title} onRetry={() => void found.refetch()} />
      )}
      {found.isPending && <Skeleton width={220} height={48} />}
      {rows?.length === 0 ? empty : rows?.map((request) => draw(request, rows))}
      {found.data !== undefined && found.data.page.total > found.data.data.length && (
        <p className={styles.rest}>
          <bdi>{`The first ${found.data.data.length} of ${found.data.page.total} are shown. The others follow when these are done.`}</bdi>
        </p>
      )}
    </Panel>
  )
}
