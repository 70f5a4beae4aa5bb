import type { AccessRequest } from '@quayside/contract/permissions/access-requests'
import { Link } from '@tanstack/react-router'
import { namesIn } from '../../../lib/actor-name.ts'
import list from '../../../ui/layout/popover-list.module.css'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { durationWords } from '../why/words.ts'
import styles from './request-notices.module.css'

interface Props {
  waiting: readonly AccessRequest[]
  mine: readonly AccessRequest[]
  close: () => void
}

/** The requests waiting for the person's answer, and the person's own with their outcome; each links to its space. */
export function RequestNotices({ waiting, mine, close }: Props) {
  return (
    <>
      <Notices title="To answer" requests={waiting} close={close} />
      <Notices title="Your requests" requests={mine} close={close} own />
      <Link to="/spaces" search={{ tab: 'requests' } as never} className={list.all} onClick={close}>
        All requests
      </Link>
    </>
  )
}

interface ListProps {
  title: string
  requests: readonly AccessRequest[]
  close: () => void
  own?: boolean
}

const outcomes = { open: 'waits for an answer', granted: 'was granted', declined: 'was declined' } as const

function Notices({ title, requests, close, own = false }: ListProps) {
  if (requests.length === 0) return null
  const called = namesIn(requests.map(({ person }) => person))
  return (
    <section aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <ul className={list.list}>
        {requests.map(({ id, space, person, role, hours, state, createdAt, answeredAt }) => (
          <li key={id}>
            <Link {...placeOf(space, own)} className={list.entry} onClick={close}>
              <span className={list.what}>
                <strong>
                  <bdi>{own ? role.name : called(person)}</bdi>
                </strong>
                <span>
                  {own ? (
                    <>
                      <Where space={space} /> <span className={styles[state]}>{outcomes[state]}</span>
                    </>
                  ) : (
                    <>
                      {space === null ? 'asks for' : 'asks to be'} <bdi>{role.name}</bdi> <Where space={space} />,{' '}
                      {durationWords(hours)}
                    </>
                  )}
                </span>
              </span>
              <RelativeTime at={answeredAt ?? createdAt} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The page where a request is answered, or is seen by who has asked. */
function placeOf(space: AccessRequest['space'], own: boolean) {
  if (space !== null)
    return { to: '/spaces/$spaceId/overview', params: { spaceId: space.id }, search: { tab: 'members' } as never }
  return { to: own ? '/spaces' : '/users', search: { tab: 'requests' } as never }
}

function Where({ space }: Pick<AccessRequest, 'space'>) {
  if (space === null) return 'of the tenant'
  return (
    <>
      in <bdi>{space.displayName}</bdi>
    </>
  )
}
