import { longest } from '@quayside/contract/http/limits'
import type { Role } from '@quayside/contract/roles/endpoints'
import { useState } from 'react'
import { useSaveClientRole } from '../../api/roles.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { NameField } from '../../ui/forms/name-field.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'

interface Props {
  client: { id: string; clientId: string }
  /** The role that is changed; left out for a new one. */
  role: Role | undefined
  onClose: () => void
}

/** Makes a role of a client, or changes its name and description. */
export function ClientRoleDialog({ client, role, onClose }: Props) {
  const save = useSaveClientRole(client.id, role?.id)
  const [name, setName] = useState(role?.name ?? '')
  const [description, setDescription] = useState(role?.description ?? '')
  const refused = save.error instanceof ApiError ? save.error : undefined
  const of = (field: string) => (refused?.field === field ? refused.message : undefined)
  return (
    <FormDialog
      title={role === undefined ? `New role of ${client.clientId}` : `Edit ${role.name}`}
      submitLabel={role === undefined ? 'Create role' : 'Save'}
      busy={save.isPending}
      disabled={name.trim() === ''}
      error={of('name') === undefined && of('description') === undefined ? save.error : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate({ name: name.trim(), description: description.trim() }, { onSuccess: onClose })}
    >
      <NameField
        value={name}
        most={longest.roleName}
        error={of('name')}
        onChange={(next) => {
          save.reset()
          setName(next)
        }}
      />
      <TextField
        label="Description"
        dir="auto"
        maxLength={longest.shortDescription}
        value={description}
        error={of('description')}
        onChange={(event) => setDescription(event.target.value)}
      />
    </FormDialog>
  )
}
