import { useState } from 'react'
import { useRoleClients } from '../../api/clients.ts'
import { type RoleHolder, useAvailableRoles, useChangeRoles } from '../../api/role-mappings.ts'
import { ChoiceList } from '../../ui/forms/choices/choice-list.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { OptionSelect } from '../../ui/forms/option-select.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import styles from './roles-of.module.css'

const ofRealm = { value: 'realm', label: 'The realm' }

interface Props {
  kind: RoleHolder
  id: string
  name: string
  onClose: () => void
}

/** Roles of the realm or of a client, to choose from. */
export function AssignDialog({ kind, id, name, onClose }: Props) {
  const clients = useRoleClients()
  const [source, setSource] = useState(ofRealm.value)
  const [chosen, setChosen] = useState<string[]>([])
  const change = useChangeRoles(kind, id)
  const cid = source === ofRealm.value ? undefined : source
  const sources = [ofRealm, ...(clients.data ?? []).map((client) => ({ value: client.id, label: client.clientId }))]
  const choose = (next: string | undefined) => {
    setSource(next ?? ofRealm.value)
    setChosen([])
    change.reset()
  }
  return (
    <FormDialog
      title={`Assign roles to ${name}`}
      submitLabel={chosen.length > 1 ? `Assign ${chosen.length} roles` : 'Assign'}
      busy={change.isPending}
      disabled={chosen.length === 0}
      error={change.error}
      errorName="Assign roles"
      onClose={onClose}
      onSubmit={() =>
        change.mutate({ way: 'assign', cid, roles: chosen.map((role) => ({ id: role })) }, { onSuccess: onClose })
      }
    >
      <OptionSelect label="Roles of" options={sources} value={source} onChange={choose} />
      <RoleChoice key={source} {...{ kind, id, cid, chosen }} onChange={setChosen} />
    </FormDialog>
  )
}

interface ChoiceProps {
  kind: RoleHolder
  id: string
  cid: string | undefined
  chosen: string[]
  onChange: (roles: string[]) => void
}

function RoleChoice({ kind, id, cid, chosen, onChange }: ChoiceProps) {
  const roles = useAvailableRoles(kind, id, cid)
  if (roles.error !== null) return <ErrorPanel error={roles.error} name="Roles" onRetry={() => void roles.refetch()} />
  if (roles.data === undefined) return <Loading card />
  if (roles.data.length === 0)
    return (
      <p className={styles.text}>
        <bdi>All of these roles are already assigned.</bdi>
      </p>
    )
  return (
    <ChoiceList
      label="Roles"
      searchLabel="Find a role"
      noMatch="No role matches."
      options={roles.data}
      {...{ chosen, onChange }}
    />
  )
}
