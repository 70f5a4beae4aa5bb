import { longest } from '@quayside/contract/http/limits'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCreateRole } from '../../api/roles.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { NameField } from '../../ui/forms/name-field.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import styles from './roles.module.css'

/** Makes a role of the realm, and opens its page. */
export function RoleDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateRole()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [asked, setAsked] = useState(false)
  const refused = create.error instanceof ApiError ? create.error : undefined
  const of = (field: string) => (refused?.field === field ? refused.message : undefined)
  const submit = () => {
    setAsked(true)
    if (name.trim() === '') return
    create.mutate(
      { name: name.trim(), description: description.trim() },
      { onSuccess: ({ id }) => void navigate({ to: '/roles/$roleId', params: { roleId: id } }) },
    )
  }
  return (
    <FormDialog
      title="New role"
      submitLabel="Create role"
      busy={create.isPending}
      error={refused?.field === 'name' || refused?.field === 'description' ? undefined : create.error}
      onClose={onClose}
      onSubmit={submit}
    >
      <NameField
        value={name}
        most={longest.roleName}
        asked={asked}
        error={of('name')}
        onChange={(next) => {
          create.reset()
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
      <p className={styles.text}>
        <bdi>Add the roles that it contains on its page.</bdi>
      </p>
    </FormDialog>
  )
}
