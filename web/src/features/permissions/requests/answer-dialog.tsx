import { longest } from '@quayside/contract/http/limits'
import type { AccessRequest } from '@quayside/contract/permissions/access-requests'
import { useState } from 'react'
import { useAnswer } from '../../../api/permissions/access-requests.ts'
import { useSpaceRoles } from '../../../api/permissions/space-roles.ts'
import { ApiError } from '../../../lib/api/api-error.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { TextArea } from '../../../ui/forms/text-field.tsx'
import { HoursField } from '../members/hours-field.tsx'
import { RoleField } from '../members/role-field.tsx'
import { durationWords } from '../why/words.ts'
import styles from './answer-dialog.module.css'

interface Props {
  request: AccessRequest
  decision: 'grant' | 'decline'
  onClose: () => void
}

/** Grants another role or time than was asked for, or declines with a word to who has asked. */
export function AnswerDialog({ request, decision, onClose }: Props) {
  const answer = useAnswer(request)
  const roles = useSpaceRoles()
  const [role, setRole] = useState(request.role.id)
  const [hours, setHours] = useState(request.hours)
  const [note, setNote] = useState('')
  const grants = decision === 'grant'
  const refused = answer.error instanceof ApiError ? answer.error : undefined
  const submit = () =>
    answer.mutate({ decision, note: note.trim(), ...(grants ? { role, hours } : {}) }, { onSuccess: onClose })
  return (
    <FormDialog
      title={grants ? 'Grant access' : 'Decline request'}
      submitLabel={grants ? 'Grant' : 'Decline'}
      onClose={onClose}
      onSubmit={submit}
      busy={answer.isPending}
      error={refused?.field === 'role' ? undefined : answer.error}
    >
      <p className={styles.asked}>
        <bdi>
          <bdi>{request.person.name}</bdi>{' '}
          {request.space === null ? (
            <>
              asks for <bdi>{request.role.name}</bdi>
            </>
          ) : (
            <>
              asks to be <bdi>{request.role.name}</bdi> in <bdi>{request.space.displayName}</bdi>
            </>
          )}
          , {durationWords(request.hours)}.
        </bdi>
      </p>
      {grants && (
        <>
          {request.space !== null && (
            <RoleField
              roles={roles.data}
              error={roles.error}
              value={role}
              invalid={refused?.field === 'role' ? refused.message : undefined}
              onChange={setRole}
            />
          )}
          <HoursField label="For" value={hours} onChange={setHours} />
        </>
      )}
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
