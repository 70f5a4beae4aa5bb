import { useState } from 'react'
import { useRoleClients } from '../../api/clients.ts'
import { useRolesOf } from '../../api/roles.ts'
import { ChoiceList } from '../../ui/forms/choices/choice-list.tsx'
import { OptionSelect } from '../../ui/forms/option-select.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import styles from './roles.module.css'

const ofRealm = { value: 'realm', label: 'The realm' }

interface Props {
  /** Ids of roles that are not offered. */
  without: ReadonlySet<string>
  chosen: string[]
  onChange: (ids: string[]) => void
  /** Only roles of the realm are offered. */
  realmOnly?: boolean
}

/** Roles of the realm, or of a client, to tick. */
export function RoleChoice({ without, chosen, onChange, realmOnly = false }: Props) {
  const [source, setSource] = useState(ofRealm.value)
  const choose = (next: string | undefined) => {
    setSource(next ?? ofRealm.value)
    onChange([])
  }
  return (
    <>
      {!realmOnly && <Source value={source} onChange={choose} />}
      <Choice key={source} cid={source === ofRealm.value ? undefined : source} {...{ without, chosen, onChange }} />
    </>
  )
}

function Source({ value, onChange }: { value: string; onChange: (next: string | undefined) => void }) {
  const clients = useRoleClients()
  const sources = [ofRealm, ...(clients.data ?? []).map((client) => ({ value: client.id, label: client.clientId }))]
  return <OptionSelect label="Roles of" options={sources} value={value} onChange={onChange} />
}

function Choice({ cid, without, chosen, onChange }: Omit<Props, 'realmOnly'> & { cid: string | undefined }) {
  const roles = useRolesOf(cid)
  if (roles.error !== null) return <ErrorPanel error={roles.error} name="Roles" onRetry={() => void roles.refetch()} />
  if (roles.data === undefined) return <Loading card />
  // The default role is what every user has: it is changed on a tab of its own.
  const offered = roles.data.filter(({ id, name }) => !without.has(id) && !name.startsWith('default-roles-'))
  if (offered.length === 0)
    return (
      <p className={styles.text}>
        <bdi>There are no other roles.</bdi>
      </p>
    )
  return (
    <ChoiceList
      label="Roles"
      searchLabel="Find a role"
      noMatch="No role matches."
      options={offered}
      {...{ chosen, onChange }}
    />
  )
}
