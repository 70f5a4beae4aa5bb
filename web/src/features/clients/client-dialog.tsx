import { Checkbox } from '@mantine/core'
import { longest } from '@quayside/contract/http/limits'
import { useState } from 'react'
import { type NewClient, useCreateClient } from '../../api/clients.ts'
import { useRoles } from '../../api/roles.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { CodeView } from '../../ui/text/code-view.tsx'
import styles from './client-dialog.module.css'

/** Makes a service account; its secret is shown once, with the lines that sign in with it. */
export function ClientDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateClient()
  const [clientId, setClientId] = useState('')
  const [description, setDescription] = useState('')
  const [roles, setRoles] = useState<string[]>([])
  const refused = create.error instanceof ApiError ? create.error : undefined
  const of = (field: string) => (refused?.field === field ? refused.message : undefined)
  if (create.data !== undefined) return <Secret client={create.data} onClose={onClose} />
  return (
    <FormDialog
      title="New service account"
      submitLabel="Create"
      busy={create.isPending}
      disabled={clientId.trim() === '' || roles.length === 0}
      error={refused?.field === 'clientId' || refused?.field === 'description' ? undefined : create.error}
      onClose={onClose}
      onSubmit={() => create.mutate({ clientId: clientId.trim(), description: description.trim(), realmRoles: roles })}
    >
      <TextField
        label="Client id"
        required
        data-autofocus
        maxLength={longest.clientId}
        help="Lower-case letters, digits and dashes"
        value={clientId}
        error={of('clientId')}
        onChange={(event) => setClientId(event.target.value)}
      />
      <TextField
        label="Description"
        maxLength={longest.shortDescription}
        value={description}
        error={of('description')}
        onChange={(event) => setDescription(event.target.value)}
      />
      <RoleChoice chosen={roles} onChange={setRoles} />
    </FormDialog>
  )
}

function RoleChoice({ chosen, onChange }: { chosen: string[]; onChange: (roles: string[]) => void }) {
  const roles = useRoles()
  if (roles.error !== null) return <ErrorPanel error={roles.error} name="Roles" onRetry={() => void roles.refetch()} />
  if (roles.data === undefined) return <Loading />
  const ours = roles.data.filter(({ name }) => name.startsWith('quayside-'))
  return (
    <Checkbox.Group label="Roles" value={chosen} onChange={onChange}>
      <div className={styles.roles}>
        {ours.map((role) => (
          <Checkbox key={role.id} value={role.name} label={role.name} description={role.description} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

function Secret({ client, onClose }: { client: NewClient; onClose: () => void }) {
  const lines = [
    `CLIENT=${client.clientId}`,
    `SECRET=${client.secret}`,
    `TOKEN=$(curl -sS ${client.tokenUrl} \\`,
    '  -d grant_type=client_credentials -d client_id=$CLIENT -d client_secret=$SECRET \\',
    '  | sed \'s/.*"access_token":"\\([^"]*\\).*/\\1/\')',
  ]
  return (
    <FormDialog
      title={`${client.clientId} can sign in`}
      submitLabel="Done"
      busy={false}
      onClose={onClose}
      onSubmit={onClose}
    >
      <p className={styles.text}>The secret is shown only this once. Store it where your script can read it.</p>
      <CodeView label="Sign in from a shell" code={lines.join('\n')} />
    </FormDialog>
  )
}
