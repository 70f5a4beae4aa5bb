import { userLimits } from '@quayside/contract/users/rules'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/permissions/my-scopes.ts'
import { useCreateUser } from '../../api/users.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import styles from './users.module.css'

const nothing = { username: '', email: '', firstName: '', lastName: '', password: '' }
type Field = keyof typeof nothing
const fieldOf: Readonly<Record<string, Field>> = { 'password.value': 'password' }

/** Creates a user, with a password for the first sign-in if one is typed. */
export function UserDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateUser()
  const navigate = useNavigate()
  const setsPasswords = useMay()('user.credentials') === true
  const [typed, setTyped] = useState(nothing)
  const [temporary, setTemporary] = useState(true)
  const [asked, setAsked] = useState(false)
  const refused = create.error instanceof ApiError ? create.error : undefined
  const wrong = refused?.field === undefined ? undefined : (fieldOf[refused.field] ?? refused.field)
  const isExplained = wrong !== undefined && wrong in nothing
  const missing = asked && typed.username.trim() === '' ? 'User name required' : undefined
  const submit = () => {
    setAsked(true)
    if (typed.username.trim() === '') return
    const { username, password, ...rest } = typed
    const texts = Object.fromEntries(Object.entries(rest).map(([field, text]) => [field, text.trim() || null]))
    create.mutate(
      { username: username.trim(), ...texts, ...(password === '' ? {} : { password: { value: password, temporary } }) },
      { onSuccess: ({ id }) => void navigate({ to: '/users/$userId', params: { userId: id } }) },
    )
  }
  const text = (field: Field, label: string, max: number, more: object = {}) => (
    <TextField
      label={label}
      dir="auto"
      autoComplete="off"
      maxLength={max}
      value={typed[field]}
      error={(field === 'username' ? missing : undefined) ?? (wrong === field ? refused?.message : undefined)}
      onChange={(event) => {
        create.reset()
        setTyped({ ...typed, [field]: event.target.value })
      }}
      {...more}
    />
  )
  return (
    <FormDialog
      title="New user"
      submitLabel="Create user"
      busy={create.isPending}
      error={isExplained ? undefined : create.error}
      onClose={onClose}
      onSubmit={submit}
    >
      {text('username', 'User name', userLimits.username, { required: true, 'data-autofocus': true })}
      {text('email', 'E-mail', userLimits.email, { type: 'email' })}
      {text('firstName', 'First name', userLimits.name)}
      {text('lastName', 'Last name', userLimits.name)}
      {setsPasswords && (
        <>
          {text('password', 'Password', userLimits.password, {
            ...{ type: 'password', autoComplete: 'new-password' },
            help: 'Without a password, the user cannot sign in until one is set.',
          })}
          {typed.password !== '' && (
            <Checkbox checked={temporary} onChange={setTemporary}>
              Must be changed at the first sign-in
            </Checkbox>
          )}
        </>
      )}
      <p className={styles.text}>
        <bdi>Roles and groups can be assigned on the user's page.</bdi>
      </p>
    </FormDialog>
  )
}
