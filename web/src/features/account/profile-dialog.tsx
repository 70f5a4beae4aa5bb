import type { Account } from '@quayside/contract/account/endpoints'
import { userLimits } from '@quayside/contract/users/rules'
import { useState } from 'react'
import { useUpdateAccount } from '../../api/account.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'

const fields = [
  { field: 'firstName', label: 'First name', max: userLimits.name },
  { field: 'lastName', label: 'Last name', max: userLimits.name },
] as const
type Field = (typeof fields)[number]['field']

/** Changes one's own names; only what was typed is sent. */
export function ProfileDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const [typed, setTyped] = useState<Partial<Record<Field, string>>>({})
  const update = useUpdateAccount()
  const refused = update.error instanceof ApiError ? update.error : undefined
  const isExplained = fields.some(({ field }) => refused?.field === field)
  const save = () =>
    update.mutate(Object.fromEntries(Object.entries(typed).map(([field, text]) => [field, text.trim() || null])), {
      onSuccess: onClose,
    })
  return (
    <FormDialog
      title="Edit profile"
      submitLabel="Save"
      busy={update.isPending}
      disabled={Object.keys(typed).length === 0}
      error={isExplained ? undefined : update.error}
      onClose={onClose}
      onSubmit={save}
    >
      {fields.map(({ field, label, max }, at) => (
        <TextField
          key={field}
          label={label}
          data-autofocus={at === 0}
          dir="auto"
          maxLength={max}
          value={typed[field] ?? account[field] ?? ''}
          error={refused?.field === field ? refused.message : undefined}
          onChange={(event) => {
            update.reset()
            setTyped({ ...typed, [field]: event.target.value })
          }}
        />
      ))}
    </FormDialog>
  )
}
