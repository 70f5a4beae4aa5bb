import { type AskedRight, usualRight } from '@quayside/contract/clusters/asked-right'
import type { Approval } from '@quayside/contract/clusters/rules'
import { longest } from '@quayside/contract/http/limits'
import { useId, useState } from 'react'
import { rightWords } from '../../api/clusters/asked-right-words.ts'
import { useAnswerApproval, useApprovals, useEndApproval } from '../../api/clusters/cluster-rules.ts'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import field from '../../ui/forms/field.module.css'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { TextArea } from '../../ui/forms/text-field.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import card from '../../ui/layout/request.module.css'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { RemainingTime } from '../../ui/text/remaining-time.tsx'
import styles from './cluster-spaces.module.css'
import { RightField } from './elevation/right-field.tsx'
import { objectWords } from './space-security-words.ts'

/** Requests that wait, and approvals that can still be used. */
export function ClusterApprovals({ clusterId }: { clusterId: string }) {
  const approvals = useApprovals(clusterId)
  const open = approvals.data?.filter(({ state }) => state === 'open')
  const granted = approvals.data?.filter(({ state }) => state === 'granted') ?? []
  return (
    <>
      <Panel title="Requests" aside={open !== undefined && <bdi>{open.length}</bdi>}>
        {approvals.error !== null && (
          <ErrorPanel error={approvals.error} name="Requests" onRetry={() => void approvals.refetch()} />
        )}
        {approvals.isPending && <Skeleton width={240} />}
        {open?.length === 0 && <p className={styles.text}>No chart waits for an approval.</p>}
        {open?.map((approval) => (
          <Request key={approval.id} approval={approval} />
        ))}
      </Panel>
      {granted.length > 0 && (
        <Panel title="Approved">
          {granted.map((approval) => (
            <Granted key={approval.id} approval={approval} />
          ))}
        </Panel>
      )}
    </>
  )
}

function About({ approval: { app, space, item, version } }: { approval: Approval }) {
  return (
    <>
      <strong>
        <bdi>{app.displayName}</bdi>
      </strong>{' '}
      (
      <bdi>
        {item.displayName} {version}
      </bdi>
      ) in{' '}
      <strong>
        <bdi>{space.displayName}</bdi>
      </strong>
    </>
  )
}

function Objects({ approval: { objects } }: { approval: Approval }) {
  return (
    <ul className={styles.objects}>
      {objects.map((object) => (
        <li key={`${object.apiVersion} ${objectWords(object)}`}>
          <code>{objectWords(object)}</code>
          {object.grants.length > 0 && (
            <ul className={styles.grants}>
              {object.grants.map((grant) => (
                <li key={grant}>
                  <bdi>{grant}</bdi>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}

function Request({ approval }: { approval: Approval }) {
  const guard = useGuard()
  const [answering, setAnswering] = useState<'grant' | 'decline'>()
  const { reason, askedBy, askedAt, elevates, otherApps, space, app } = approval
  const right = guard('cluster.approvals', `answer for ${app.displayName}`)
  return (
    <article className={card.request} aria-label={`${app.displayName} asks`}>
      <p className={card.words}>
        <bdi>
          <About approval={approval} /> needs what the list does not have. <bdi>{askedBy.name}</bdi> asked{' '}
          <RelativeTime at={askedAt} />.
        </bdi>
      </p>
      <blockquote className={card.reason}>
        <bdi>{reason}</bdi>
      </blockquote>
      <Objects approval={approval} />
      {elevates && (
        <p className={styles.warning}>
          <bdi>
            With it, whoever runs a pod in {space.displayName} has these rights. Deploying there asks for more from then
            on, and kubeconfigs only read.
            {otherApps.length > 0 && ` The same applies to ${otherApps.join(', ')}.`}
          </bdi>
        </p>
      )}
      <div className={card.buttons}>
        <GuardedButton small look="primary" {...right} onClick={() => setAnswering('grant')}>
          Approve
        </GuardedButton>
        <GuardedButton small {...right} onClick={() => setAnswering('decline')}>
          Decline
        </GuardedButton>
      </div>
      {answering !== undefined && (
        <AnswerDialog approval={approval} decision={answering} onClose={() => setAnswering(undefined)} />
      )}
    </article>
  )
}

function Granted({ approval }: { approval: Approval }) {
  const guard = useGuard()
  const end = useEndApproval()
  const confirm = useConfirm()
  const { answeredBy, answeredAt, expiresAt, app } = approval
  async function askAndEnd() {
    const message = `End the approval of ${app.displayName}? A deployment that is using it right now is stopped. Anything already deployed stays.`
    if (await confirm({ title: 'End the approval', danger: true, message })) end.mutate(approval.id)
  }
  return (
    <article className={card.request} aria-label={`${app.displayName} is approved`}>
      <p className={card.words}>
        <bdi>
          <About approval={approval} />, approved by <bdi>{answeredBy ?? '–'}</bdi> <RelativeTime at={answeredAt} />
          {expiresAt !== null && (
            <>
              , <RemainingTime until={expiresAt} inline />
            </>
          )}
        </bdi>
      </p>
      <Objects approval={approval} />
      {approval.elevates && (
        <p className={card.words}>
          <bdi>
            Deploying in {approval.space.displayName} takes {rightWords(approval.asksFor)}.
          </bdi>
        </p>
      )}
      {end.error !== null && <ErrorPanel error={end.error} name="End" />}
      <div className={card.buttons}>
        <GuardedButton
          small
          {...guard('cluster.approvals', `end the approval of ${app.displayName}`)}
          disabled={end.isPending}
          onClick={() => void askAndEnd()}
        >
          End approval
        </GuardedButton>
      </div>
    </article>
  )
}

const times = [
  { hours: 1, label: '1 hour' },
  { hours: 8, label: '8 hours' },
  { hours: 24, label: '1 day' },
  { hours: 168, label: '1 week' },
  { hours: null, label: 'As long as the app exists' },
] as const

interface DialogProps {
  approval: Approval
  decision: 'grant' | 'decline'
  onClose: () => void
}

function AnswerDialog({ approval, decision, onClose }: DialogProps) {
  const answer = useAnswerApproval()
  const id = useId()
  const [hours, setHours] = useState<number | null>(null)
  const [note, setNote] = useState('')
  const [asksFor, setAsksFor] = useState<AskedRight>(usualRight)
  const grants = decision === 'grant'
  return (
    <FormDialog
      title={grants ? `Approve for ${approval.app.displayName}` : `Decline for ${approval.app.displayName}`}
      submitLabel={grants ? 'Approve' : 'Decline'}
      onClose={onClose}
      onSubmit={() =>
        answer.mutate(
          { id: approval.id, decision, note: note.trim(), ...(grants ? { hours, asksFor } : {}) },
          { onSuccess: onClose },
        )
      }
      busy={answer.isPending}
      error={answer.error}
      errorName="Answer"
    >
      {grants && (
        <div className={field.field}>
          <label htmlFor={id} className={field.label}>
            Valid for
          </label>
          <Select
            id={id}
            value={String(hours)}
            onChange={(event) => setHours(event.target.value === 'null' ? null : Number(event.target.value))}
          >
            {times.map((one) => (
              <option key={String(one.hours)} value={String(one.hours)}>
                {one.label}
              </option>
            ))}
          </Select>
          <span className={field.help}>
            <bdi>Anything already deployed with it stays.</bdi>
          </span>
        </div>
      )}
      {grants && approval.elevates && <RightField value={asksFor} onChange={setAsksFor} />}
      <TextArea
        label={grants ? 'Note' : 'Why'}
        help="Shown to the person who asked."
        maxLength={longest.note}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </FormDialog>
  )
}
