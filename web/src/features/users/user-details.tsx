import type { UserDetail } from '@quayside/contract/users/endpoints'
import { userLimits } from '@quayside/contract/users/rules'
import { type FormEvent, useState } from 'react'
import { useGuard, useMay } from '../../api/permissions/my-scopes.ts'
import { useUpdateUser } from '../../api/users/users.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { AttributeGroup } from '../../ui/attributes/attribute-group.tsx'
import { type AttributeLine, attributesOf, linesOf } from '../../ui/attributes/attribute-lines.tsx'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { FactList, Panel } from '../../ui/layout/panel.tsx'
import layout from '../../ui/lists/columns.module.css'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { ActionChoice } from './required-action-choice.tsx'
import styles from './users.module.css'

/** The fields that somebody has typed over; the others are as the server has them. */
interface Typed {
  email?: string
  firstName?: string
  lastName?: string
  emailVerified?: boolean
  requiredActions?: string[]
  attributes?: AttributeLine[]
}

/** The form of a user: typed values over those of the server, which is sent only what was typed. */
function useEditing(user: UserDetail) {
  const [typed, setTyped] = useState<Typed>({})
  const update = useUpdateUser(user.id)
  const change = (part: Typed) => {
    update.reset()
    setTyped({ ...typed, ...part })
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    const { attributes, requiredActions, emailVerified, ...texts } = typed
    update.mutate(
      {
        ...Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, text.trim() || null])),
        ...(emailVerified === undefined ? {} : { emailVerified }),
        ...(requiredActions === undefined ? {} : { requiredActions: requiredActions as never }),
        ...(attributes === undefined ? {} : { attributes: attributesOf(attributes) }),
      },
      { onSuccess: () => setTyped({}) },
    )
  }
  return { typed, change, save, error: update.error, isPending: update.isPending }
}

const textFields = [
  { field: 'email', label: 'E-mail', max: userLimits.email, type: 'email' },
  { field: 'firstName', label: 'First name', max: userLimits.name, type: 'text' },
  { field: 'lastName', label: 'Last name', max: userLimits.name, type: 'text' },
] as const

/** The user with their account's facts beside the form. */
export function UserDetails({ user }: { user: UserDetail }) {
  const isScript = user.serviceAccountOf !== null
  return (
    <div className={layout.columns}>
      <Panel title="Details">
        <DetailsForm user={user} isScript={isScript} />
      </Panel>
      <Panel title="Account">
        <FactList
          facts={[
            { name: 'User name', value: <bdi>{user.username}</bdi> },
            { name: 'Created', value: <RelativeTime at={user.createdAt} /> },
            ...(isScript ? [{ name: 'Account of', value: <bdi>the service account of a script</bdi> }] : []),
          ]}
        />
      </Panel>
    </div>
  )
}

function DetailsForm({ user, isScript }: { user: UserDetail; isScript: boolean }) {
  const [may, guard] = [useMay(), useGuard()]
  const right = guard('user.edit', `edit ${user.username}`)
  const { typed, change, save, error, isPending } = useEditing(user)
  const isClosed = right.allowed !== true || isScript
  const refused = error instanceof ApiError ? error : undefined
  const isExplained = textFields.some(({ field }) => refused?.field === field)
  return (
    <form className={styles.form} onSubmit={save} noValidate>
      {textFields.map(({ field, label, max, type }) => (
        <TextField
          key={field}
          {...{ label, type }}
          dir="auto"
          disabled={isClosed}
          maxLength={max}
          value={typed[field] ?? user[field] ?? ''}
          error={refused?.field === field ? refused.message : undefined}
          onChange={(event) => change({ [field]: event.target.value })}
        />
      ))}
      <Checkbox
        disabled={isClosed}
        checked={typed.emailVerified ?? user.emailVerified}
        onChange={(emailVerified) => change({ emailVerified })}
      >
        The e-mail address is verified
      </Checkbox>
      <ActionChoice
        legend="Required at the next sign-in"
        disabled={isClosed}
        chosen={typed.requiredActions ?? user.requiredActions}
        onChange={(requiredActions) => change({ requiredActions })}
      />
      {user.attributes !== null && may('user.see-attributes') === true && (
        <AttributeGroup
          right={guard('user.attributes', `change the attributes of ${user.username}`)}
          disabled={isClosed}
          lines={typed.attributes ?? linesOf(user.attributes)}
          onChange={(attributes) => change({ attributes })}
        />
      )}
      {error !== null && !isExplained && <ErrorPanel error={error} name="Save" />}
      <div className={styles.buttons}>
        <GuardedButton
          {...right}
          type="submit"
          look="primary"
          busy={isPending}
          disabled={isScript || Object.keys(typed).length === 0}
        >
          Save
        </GuardedButton>
      </div>
    </form>
  )
}
