import { longest } from '@quayside/contract/http/limits'
import { useState } from 'react'
import { useAsk } from '../../../api/permissions/access-requests.ts'
import { useSpaceRoles } from '../../../api/permissions/space-roles.ts'
import { ApiError } from '../../../lib/api/api-error.ts'
import { Button } from '../../../ui/actions/button.tsx'
import form from '../../../ui/forms/form-dialog.module.css'
import { TextArea } from '../../../ui/forms/text-field.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { HoursField } from '../members/hours-field.tsx'
import { RoleField } from '../members/role-field.tsx'
import styles from '../why/why-answer.module.css'
import { RightLine } from '../why/why-lines.tsx'
import { tenantRoleWords } from '../why/words.ts'

/** Roles in a space that hold what is wanted, or roles of the tenant as `section:role`. */
export type Wanted =
  | { spaceId: string; roles: readonly { id: string; name: string }[] }
  | { tenantRoles: readonly string[] }

interface Props {
  wanted: Wanted
  /** Completes "to …". */
  purpose: string
  onClose: () => void
  /** Left out where nothing was shown before. */
  onBack: (() => void) | undefined
}

const week = 7 * 24

/** A request for a role in a space, or of the tenant: which, why, and for how long. */
export function AskForm({ wanted, purpose, onClose, onBack }: Props) {
  const inSpace = 'spaceId' in wanted ? wanted : undefined
  const ask = useAsk(inSpace?.spaceId)
  const choice = useChoice(wanted)
  const [role, setRole] = useState(choice.first)
  const [reason, setReason] = useState('')
  const [hours, setHours] = useState<number | null>(week)
  const refused = ask.error instanceof ApiError ? ask.error : undefined
  const of = (field: string) => (refused?.field === field ? refused.message : undefined)
  if (ask.isSuccess)
    return (
      <div className={styles.answer}>
        <ul className={styles.lines} role="status">
          <RightLine held>
            Your request was sent
            <span className={styles.held}>
              Whoever manages {inSpace ? 'the space' : 'roles'} sees it at once. You find it, and the answer, below the
              bell at the top.
            </span>
          </RightLine>
        </ul>
        <div className={styles.buttons}>
          <span className={styles.gap} />
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
    )
  return (
    <form
      className={form.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (reason.trim() !== '') ask.mutate({ role, reason: reason.trim(), hours })
      }}
    >
      <RoleField
        label="Role"
        roles={choice.roles}
        error={choice.error}
        value={role}
        invalid={of('role')}
        onChange={setRole}
      />
      <HoursField label="For how long" value={hours} onChange={setHours} />
      <TextArea
        label="Reason"
        required
        maxLength={longest.note}
        placeholder={`To ${purpose}`}
        value={reason}
        error={of('reason')}
        help="Shown to whoever answers."
        onChange={(event) => setReason(event.target.value)}
      />
      {ask.error !== null && of('role') === undefined && of('reason') === undefined && (
        <ErrorPanel error={ask.error} name="Ask for access" />
      )}
      <div className={styles.buttons}>
        {onBack !== undefined && (
          <Button look="quiet" onClick={onBack}>
            Back
          </Button>
        )}
        <span className={styles.gap} />
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={ask.isPending} disabled={reason.trim() === '' || role === ''}>
          Send request
        </Button>
      </div>
    </form>
  )
}

/** The roles to choose from: those of the space that hold it, or those of the tenant that were named. */
function useChoice(wanted: Wanted) {
  const all = useSpaceRoles()
  if ('spaceId' in wanted) {
    const roles = all.data?.filter(({ id }) => wanted.roles.some((one) => one.id === id))
    return { first: wanted.roles[0]?.id ?? '', roles, error: all.error }
  }
  const roles = wanted.tenantRoles.map((id) => ({ id, name: tenantRoleWords(id) }))
  return { first: wanted.tenantRoles[0] ?? '', roles, error: null }
}
