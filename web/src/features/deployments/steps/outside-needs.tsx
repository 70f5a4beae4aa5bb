import type { NeedVerdict } from '@quayside/contract/clusters/rules'
import type { AppMetadata } from '@quayside/contract/deployments/deploy-data'
import type { ValidationResult } from '@quayside/contract/deployments/endpoints'
import { longest } from '@quayside/contract/http/limits'
import { useEffect, useRef, useState } from 'react'
import { rightWords } from '../../../api/clusters/asked-right-words.ts'
import { useApproval, useAskApproval } from '../../../api/clusters/outside-needs.ts'
import { listed } from '../../../api/permissions/scope-words.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { TextArea } from '../../../ui/forms/text-field.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { StateBadge } from '../../../ui/states/state-badge.tsx'
import { texts } from '../texts.ts'
import styles from './outside-needs.module.css'

const t = texts.outside

const looks: Record<NeedVerdict, string> = {
  ...{ rule: 'healthy', approved: 'healthy', ask: 'degraded', waiting: 'progressing', declined: 'failed' },
  never: 'failed',
}

interface Props {
  versionId: string
  appMetadata: AppMetadata
  /** The text that the result is about. */
  yaml: string
  result: ValidationResult
  /** Has the values judged again. */
  again: () => void
}

/** The objects that a release needs outside of its space, with the verdict on each, and the way to ask for them. */
export function OutsideNeeds({ versionId, appMetadata, yaml, result: { outside, success }, again }: Props) {
  const [asking, setAsking] = useState(false)
  const approvalId = outside?.approvalId ?? null
  useAnswered(approvalId, again)
  if (outside === null || (success && outside.needs.every(({ verdict }) => verdict === 'rule'))) return null
  const isWaiting = outside.needs.some(({ verdict }) => verdict === 'waiting')
  const mayAsk = !success && outside.canAsk && !isWaiting
  return (
    <section className={styles.needs} aria-label={t.title}>
      <h4 className={styles.title}>{t.title}</h4>
      <ul className={styles.list}>
        {outside.needs.map(({ kind, name, namespace, verdict, grants }) => (
          <li key={`${kind} ${namespace} ${name}`}>
            <span className={styles.line}>
              <code className={styles.name}>
                {kind} {name}
                {namespace !== null && ` in ${namespace}`}
              </code>
              <StateBadge state={looks[verdict]} label={t.verdicts[verdict]} />
            </span>
            {grants.map((grant) => (
              <bdi key={grant} className={styles.grant}>
                {grant}
              </bdi>
            ))}
          </li>
        ))}
      </ul>
      {outside.elevates && <p className={styles.elevates}>{t.elevates(listed(outside.asksFor.map(rightWords)))}</p>}
      {isWaiting && <p className={styles.text}>{t.waiting}</p>}
      {mayAsk && !asking && (
        <div>
          <Button small onClick={() => setAsking(true)}>
            {t.ask}
          </Button>
        </div>
      )}
      {mayAsk && asking && (
        <AskForm
          {...{ versionId, appMetadata, yaml }}
          onCancel={() => setAsking(false)}
          onSent={() => {
            setAsking(false)
            again()
          }}
        />
      )}
    </section>
  )
}

/** Calls `again` when an open request was answered, approved or declined, or is there no longer. */
function useAnswered(approvalId: string | null, again: () => void): void {
  const state = useApproval(approvalId).data?.state
  const seen = useRef<{ id: string | null; state: string }>(undefined)
  useEffect(() => {
    if (state === undefined) return
    const before = seen.current
    seen.current = { id: approvalId, state }
    if (before?.id === approvalId && before.state !== state) again()
  }, [approvalId, state, again])
}

interface FormProps extends Pick<Props, 'versionId' | 'appMetadata' | 'yaml'> {
  onCancel: () => void
  onSent: () => void
}

function AskForm({ versionId, appMetadata, yaml, onCancel, onSent }: FormProps) {
  const ask = useAskApproval(versionId)
  const [reason, setReason] = useState('')
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        ask.mutate({ appMetadata, yaml, reason: reason.trim() }, { onSuccess: onSent })
      }}
    >
      <TextArea
        label={t.reason}
        help={t.reasonHelp}
        required
        autoFocus
        maxLength={longest.note}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {ask.error !== null && <ErrorPanel error={ask.error} name={t.ask} />}
      <div className={styles.buttons}>
        <Button type="submit" small look="primary" busy={ask.isPending} disabled={reason.trim() === ''}>
          {t.send}
        </Button>
        <Button small onClick={onCancel}>
          {t.cancel}
        </Button>
      </div>
    </form>
  )
}
