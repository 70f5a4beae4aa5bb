import type { UserDetail } from '@quayside/contract/users/endpoints'
import { userLimits } from '@quayside/contract/users/rules'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useMay } from '../../api/permissions/my-scopes.ts'
import { useCreateUser } from '../../api/users/users.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import field from '../../ui/forms/field.module.css'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { InvitationDialog } from './invitation-dialog.tsx'
import styles from './users.module.css'

const nothing = { username: '', email: '', firstName: '', lastName: '', password: '' }
type Field = keyof typeof nothing
const fieldOf: Readonly<Record<string, Field>> = { 'password.value': 'password' }

/** Ways in which somebody gets to sign in for the first time. */
const waysIn = {
  later: 'Decide later',
  password: 'Set a password',
  mail: 'Invite by mail',
  link: 'Invite by a link to copy',
} as const
type WayIn = keyof typeof waysIn
const isWayIn = (text: string): text is WayIn => text in waysIn

const missingFrom = (typed: typeof nothing, wayIn: WayIn): Partial<Record<Field, string>> => ({
  ...(typed.username.trim() === '' ? { username: 'User name required' } : {}),
  ...(wayIn === 'mail' && typed.email.trim() === '' ? { email: 'E-mail required for the invitation' } : {}),
  ...(wayIn === 'password' && typed.password === '' ? { password: 'Password required' } : {}),
})

/** Creates a user, with a password for the first sign-in or an invitation. */
export function UserDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateUser()
  const navigate = useNavigate()
  const setsPasswords = useMay()('user.credentials') === true
  const [typed, setTyped] = useState(nothing)
  const [temporary, setTemporary] = useState(true)
  const [wayIn, setWayIn] = useState<WayIn>('later')
  const [invited, setInvited] = useState<UserDetail>()
  const [asked, setAsked] = useState(false)
  const refused = create.error instanceof ApiError ? create.error : undefined
  const wrong = refused?.field === undefined ? undefined : (fieldOf[refused.field] ?? refused.field)
  const isExplained = wrong !== undefined && wrong in nothing && (wrong !== 'password' || wayIn === 'password')
  const missingIn = missingFrom(typed, wayIn)
  const missingAt = (name: Field) => (asked ? missingIn[name] : undefined)
  const submit = () => {
    setAsked(true)
    if (Object.keys(missingIn).length > 0) return
    const { username, password, ...rest } = typed
    const texts = Object.fromEntries(Object.entries(rest).map(([field, text]) => [field, text.trim() || null]))
    create.mutate(
      {
        ...{ username: username.trim(), ...texts },
        ...(wayIn === 'password' ? { password: { value: password, temporary } } : {}),
      },
      {
        onSuccess: (user) =>
          wayIn === 'mail' || wayIn === 'link'
            ? setInvited(user)
            : void navigate({ to: '/users/$userId', params: { userId: user.id } }),
      },
    )
  }
  if (invited && (wayIn === 'mail' || wayIn === 'link')) return <InvitationDialog user={invited} way={wayIn} />
  const text = (name: Field, label: string, max: number, more: object = {}) => (
    <TextField
      label={label}
      dir="auto"
      autoComplete="off"
      maxLength={max}
      value={typed[name]}
      error={missingAt(name) ?? (wrong === name ? refused?.message : undefined)}
      onChange={(event) => {
        create.reset()
        setTyped({ ...typed, [name]: event.target.value })
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
      {setsPasswords && <WayInField value={wayIn} onChange={setWayIn} />}
      {wayIn === 'password' && (
        <>
          {text('password', 'Password', userLimits.password, {
            ...{ type: 'password', autoComplete: 'new-password', required: true },
          })}
          <Checkbox checked={temporary} onChange={setTemporary}>
            Must be changed at the first sign-in
          </Checkbox>
        </>
      )}
      <p className={styles.text}>
        <bdi>Roles and groups can be assigned on the user's page.</bdi>
      </p>
    </FormDialog>
  )
}

function WayInField({ value, onChange }: { value: WayIn; onChange: (way: WayIn) => void }) {
  const id = useId()
  return (
    <div className={field.field}>
      <label htmlFor={id} className={field.label}>
        First sign-in
      </label>
      <Select id={id} value={value} onChange={({ target }) => isWayIn(target.value) && onChange(target.value)}>
        {Object.entries(waysIn).map(([way, label]) => (
          <option key={way} value={way}>
            {label}
          </option>
        ))}
      </Select>
    </div>
  )
}
