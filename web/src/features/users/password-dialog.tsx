import type { UserDetail } from '@quayside/contract/users/endpoints'
import { userLimits } from '@quayside/contract/users/rules'
import { useState } from 'react'
import { useResetPassword } from '../../api/users/user-credentials.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { fullName } from './full-name.ts'
import styles from './users.module.css'

/** Sets a password for somebody else. */
export function PasswordDialog({ user, onClose }: { user: UserDetail; onClose: () => void }) {
  const reset = useResetPassword(user.id)
  const [value, setValue] = useState('')
  const [again, setAgain] = useState('')
  const [temporary, setTemporary] = useState(true)
  const refused = reset.error instanceof ApiError && reset.error.field === 'value' ? reset.error : undefined
  const differs = again !== '' && value !== again
  return (
    <FormDialog
      title={`Set password of ${fullName(user)}`}
      submitLabel="Set password"
      busy={reset.isPending}
      disabled={value === '' || value !== again}
      error={refused ? undefined : reset.error}
      onClose={onClose}
      onSubmit={() => reset.mutate({ value, temporary }, { onSuccess: onClose })}
    >
      <TextField
        label="New password"
        required
        data-autofocus
        type="password"
        autoComplete="new-password"
        maxLength={userLimits.password}
        value={value}
        error={refused?.message}
        onChange={(event) => {
          reset.reset()
          setValue(event.target.value)
        }}
      />
      <TextField
        label="Repeat the password"
        required
        type="password"
        autoComplete="new-password"
        maxLength={userLimits.password}
        value={again}
        error={differs ? 'The passwords do not match' : undefined}
        onChange={(event) => setAgain(event.target.value)}
      />
      <Checkbox checked={temporary} onChange={setTemporary}>
        Must be changed at the next sign-in
      </Checkbox>
      <p className={styles.text}>
        <bdi>
          This user is signed out everywhere. Passkeys and linked accounts end and can be added again with the new
          password. Personal tokens keep working; delete them below.
        </bdi>
      </p>
    </FormDialog>
  )
}
