import type { UserDetail } from '@quayside/contract/users/endpoints'
import { useState } from 'react'
import { useMailActions } from '../../api/users/user-credentials.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { fullName } from './full-name.ts'
import { ActionChoice } from './required-action-choice.tsx'
import styles from './users.module.css'

/** Mails somebody a link by which they set a password, or do something else, themselves. */
export function MailDialog({ user, onClose }: { user: UserDetail; onClose: () => void }) {
  const mail = useMailActions(user.id)
  const [chosen, setChosen] = useState<string[]>(['UPDATE_PASSWORD'])
  return (
    <FormDialog
      title={`Mail a link to ${fullName(user)}`}
      submitLabel="Send"
      busy={mail.isPending}
      disabled={chosen.length === 0 || user.email === null}
      error={mail.error}
      errorName="Mail"
      onClose={onClose}
      onSubmit={() => mail.mutate(chosen as never, { onSuccess: onClose })}
    >
      <p className={styles.text}>
        <bdi>
          {user.email === null ? (
            'This user has no e-mail address.'
          ) : (
            <>
              It goes to <bdi>{user.email}</bdi>. Without a mail server it waits in the outbox (Login Settings, E-mail),
              and Keycloak refuses it.
            </>
          )}
        </bdi>
      </p>
      <ActionChoice legend="The link asks them to" chosen={chosen} onChange={setChosen} />
    </FormDialog>
  )
}
