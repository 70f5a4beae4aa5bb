import type { ActionKind } from '@quayside/contract/deployments/endpoints'
import type { Notice } from '@quayside/contract/notifications/endpoints'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconMailOpened from '@tabler/icons-react/dist/esm/icons/IconMailOpened.mjs'
import { Link } from '@tanstack/react-router'
import { useMarkNotice, useReadNotices } from '../../api/notifications/notifications.ts'
import { Button, IconButton } from '../../ui/actions/button.tsx'
import list from '../../ui/layout/popover-list.module.css'
import { classNames } from '../../ui/marks/class-names.ts'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { RemainingTime } from '../../ui/text/remaining-time.tsx'
import styles from './notice-list.module.css'

/** English in either direction of the page, on the side where the lines of the page begin. */
const sentence = classNames('ltr', styles.sentence)

const failures: Readonly<Record<ActionKind, string>> = {
  Assign: 'Could not be assigned',
  Prepare: 'Could not be prepared',
  Deploy: 'Deployment failed',
  Upgrade: 'Upgrade failed',
  Rollback: 'Rollback failed',
  Delete: 'Deletion failed',
  Repair: 'Repair failed',
  ChangeWorkload: 'Change of a workload failed',
  DeleteSpace: 'Deletion of the space failed',
  DeregisterCluster: 'Removal of the cluster failed',
  LeaveCluster: 'Removal from the cluster failed',
}

/** News for the person, each with the way to the thing and a mark that it is read. */
export function NoticeList({ notices, close }: { notices: readonly Notice[]; close: () => void }) {
  const mark = useMarkNotice()
  const readAll = useReadNotices()
  const failed = mark.error ?? readAll.error
  return (
    <section aria-label="Inbox">
      <header className={styles.head}>
        <h2 className={styles.title}>Inbox</h2>
        {notices.some(({ isRead }) => !isRead) && (
          <Button small look="quiet" busy={readAll.isPending} onClick={() => readAll.mutate()}>
            Mark all as read
          </Button>
        )}
      </header>
      {failed !== null && <ErrorPanel error={failed} name="Inbox" />}
      <ul className={list.list}>
        {notices.map((notice) => {
          const { id, isRead, about } = notice
          const open = () => {
            if (!isRead) mark.mutate({ id, isRead: true })
            close()
          }
          return (
            <li key={id} className={classNames(styles.entry, !isRead && styles.unread)}>
              <Link {...placeOf(notice)} className={list.entry} onClick={open}>
                <span className={list.what}>
                  <strong>
                    {!isRead && <span className="unseen">Unread: </span>}
                    <bdi>{about.name}</bdi>
                  </strong>
                  <Words notice={notice} />
                </span>
                <RelativeTime at={notice.at} />
              </Link>
              <IconButton
                icon={isRead ? IconMail : IconMailOpened}
                size={16}
                label={`Mark as ${isRead ? 'unread' : 'read'}: ${about.name}`}
                onClick={() => mark.mutate({ id, isRead: !isRead })}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function placeOf({ kind, about }: Notice) {
  if (kind === 'action-failed') return { to: '/cloud-automation/$actionId', params: { actionId: about.id } } as const
  if (kind === 'token-expiring') return { to: '/account' } as const
  return { to: '/apps/$appId', params: { appId: about.id } } as const
}

function Words({ notice: { kind, action, space, says, until } }: { notice: Notice }) {
  if (kind === 'token-expiring')
    return (
      <span className={sentence}>
        Personal token <RemainingTime until={until} inline quiet />
      </span>
    )
  const said = { 'app-unhealthy': 'Unhealthy', 'app-healthy': 'Healthy again' } as const
  return (
    <>
      <span className={sentence}>
        {kind === 'action-failed' ? failures[action ?? 'Deploy'] : said[kind]}
        {space !== null && (
          <>
            {' '}
            in <bdi>{space.name}</bdi>
          </>
        )}
      </span>
      {says !== null && (
        <span className={classNames(sentence, styles.says)}>
          <bdi>{says}</bdi>
        </span>
      )}
    </>
  )
}
