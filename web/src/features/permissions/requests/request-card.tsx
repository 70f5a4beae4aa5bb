import type { AccessRequest } from '@quayside/contract/permissions/access-requests'
import { useState } from 'react'
import { useAnswer, useWithdraw } from '../../../api/permissions/access-requests.ts'
import { actorName, namesIn } from '../../../lib/actor-name.ts'
import { Button } from '../../../ui/actions/button.tsx'
import card from '../../../ui/layout/request.module.css'
import { Avatar } from '../../../ui/marks/avatar.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { durationWords } from '../why/words.ts'
import { AnswerDialog } from './answer-dialog.tsx'
import styles from './request-card.module.css'

interface Props {
  request: AccessRequest
  /** Names the space, where the page does not. */
  withSpace?: boolean
  /** The requests of the list: people in it who share a name are told apart. */
  among?: readonly AccessRequest[]
}

/** Somebody asks for a role: grant it as it was asked for, otherwise, or decline. */
export function RequestCard({ request, withSpace = false, among = [request] }: Props) {
  const answer = useAnswer(request)
  const [answering, setAnswering] = useState<'grant' | 'decline'>()
  const { person, role, reason, hours, space, createdAt } = request
  const name = namesIn(among.map((each) => each.person))(person)
  return (
    <article className={card.request} aria-label={`${name} asks for ${role.name}`}>
      <div className={styles.head}>
        <Avatar name={person.name} size={28} round />
        <p className={card.words}>
          <bdi>
            <strong>
              <bdi>{name}</bdi>
            </strong>{' '}
            {space === null ? 'asks for' : 'asks to be'}{' '}
            <strong>
              <bdi>{role.name}</bdi>
            </strong>{' '}
            <Where space={space} withSpace={withSpace} />, {durationWords(hours)} · <RelativeTime at={createdAt} />
          </bdi>
        </p>
      </div>
      <blockquote className={card.reason}>
        <bdi>{reason}</bdi>
      </blockquote>
      {answer.error !== null && <ErrorPanel error={answer.error} name="Answer" />}
      <div className={card.buttons}>
        <Button
          small
          look="primary"
          busy={answer.isPending}
          onClick={() => answer.mutate({ decision: 'grant', note: '' })}
        >
          {hours === null ? 'Grant' : `Grant ${durationWords(hours)}`}
        </Button>
        <Button small disabled={answer.isPending} onClick={() => setAnswering('grant')}>
          Adjust
        </Button>
        <Button small disabled={answer.isPending} onClick={() => setAnswering('decline')}>
          Decline
        </Button>
      </div>
      {answering !== undefined && (
        <AnswerDialog request={request} decision={answering} onClose={() => setAnswering(undefined)} />
      )}
    </article>
  )
}

function Where({ space, withSpace }: Pick<AccessRequest, 'space'> & { withSpace: boolean }) {
  if (space === null) return 'of the tenant'
  if (!withSpace) return 'here'
  return (
    <>
      in <bdi>{space.displayName}</bdi>
    </>
  )
}

const stateWords: Record<AccessRequest['state'], string> = {
  open: 'waits for an answer',
  granted: 'was granted',
  declined: 'was declined',
}

/** A request of the person's own, with its outcome. */
export function OwnRequestCard({ request, withSpace = false }: Props) {
  const withdraw = useWithdraw()
  const { role, hours, space, state, note, answeredByName, answeredAt, createdAt, reason } = request
  return (
    <article className={card.request} aria-label={`Your request for ${role.name}`}>
      <p className={card.words}>
        <bdi>
          <strong>
            <bdi>{role.name}</bdi>
          </strong>{' '}
          {withSpace && (
            <>
              <Where space={space} withSpace />{' '}
            </>
          )}
          {durationWords(hours)} <span className={styles[state]}>{stateWords[state]}</span>
          {answeredByName !== null && (
            <>
              {' '}
              by <bdi>{actorName(answeredByName)}</bdi>
            </>
          )}{' '}
          · <RelativeTime at={answeredAt ?? createdAt} />
        </bdi>
      </p>
      <blockquote className={card.reason}>
        <bdi>{note ?? reason}</bdi>
      </blockquote>
      {withdraw.error !== null && <ErrorPanel error={withdraw.error} name="Withdraw request" />}
      {state === 'open' && (
        <div className={card.buttons}>
          <Button small busy={withdraw.isPending} onClick={() => withdraw.mutate(request.id)}>
            Withdraw
          </Button>
        </div>
      )}
    </article>
  )
}
