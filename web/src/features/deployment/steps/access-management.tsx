import type { Group } from '@quayside/contract/iam'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { usePortal } from '../../../lib/portal.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Loading } from '../../../ui/loading.tsx'
import type { ChosenGroup } from '../deploy-data.ts'
import { texts } from '../texts.ts'
import styles from './access-management.module.css'

interface Role {
  id: string
  name: string
}

interface Props {
  roles: readonly Role[]
  chosen: readonly ChosenGroup[]
  onChange: (chosen: ChosenGroup[]) => void
}

const t = texts.access

/** Groups with the resource roles of the new app as their children; a group is ticked when all its roles are. */
export function AccessManagement({ roles, chosen, onChange }: Props) {
  const { api } = usePortal()
  const heading = useId()
  const groups = useQuery({
    queryKey: ['groups'],
    queryFn: async () => (await api.get<{ data: Group[] }>('/iam/v2/groups')).data,
  })
  const rows = flatten(groups.data ?? [])
  return (
    <section aria-labelledby={heading} className={styles.step}>
      <p className={styles.text}>{t.text}</p>
      <h3 id={heading}>{t.groups}</h3>
      {groups.error !== null && (
        <ErrorPanel error={groups.error} name={t.groups} onRetry={() => void groups.refetch()} />
      )}
      {groups.isPending && <Loading />}
      {groups.data !== undefined && rows.length === 0 && (
        <EmptyState title="No groups" text="Groups are made under Identity & access." />
      )}
      {roles.length === 0 && <p className={styles.text}>This app has no resource roles to grant.</p>}
      <ul className={styles.tree}>
        {rows.map(({ group, depth }) => (
          <GroupRow key={group.id} group={group} depth={depth} roles={roles} chosen={chosen} onChange={onChange} />
        ))}
      </ul>
    </section>
  )
}

function GroupRow({ group, depth, roles, chosen, onChange }: Props & { group: Group; depth: number }) {
  const held = chosen.find(({ id }) => id === group.id)?.resourceRoles.map(({ id }) => id) ?? []
  const set = (next: readonly Role[]) => {
    const others = chosen.filter(({ id }) => id !== group.id)
    onChange(next.length === 0 ? others : [...others, { id: group.id, name: group.name, resourceRoles: [...next] }])
  }
  return (
    <li style={{ paddingInlineStart: depth * 20 }}>
      <Tick
        label={group.name}
        checked={roles.length > 0 && held.length === roles.length}
        partial={held.length > 0 && held.length < roles.length}
        disabled={roles.length === 0}
        onChange={(on) => set(on ? roles : [])}
      />
      <ul className={styles.roles}>
        {roles.map((role) => (
          <li key={role.id}>
            <Tick
              label={role.name}
              context={group.name}
              checked={held.includes(role.id)}
              onChange={(on) => set(roles.filter(({ id }) => (id === role.id ? on : held.includes(id))))}
            />
          </li>
        ))}
      </ul>
    </li>
  )
}

interface TickProps {
  label: string
  context?: string
  checked: boolean
  partial?: boolean
  disabled?: boolean
  onChange: (on: boolean) => void
}

function Tick({ label, context, checked, partial = false, disabled, onChange }: TickProps) {
  return (
    <Checkbox checked={checked} partial={partial} disabled={disabled} onChange={onChange}>
      <bdi>{label}</bdi>
      {context !== undefined && <span className="unseen"> for {context}</span>}
    </Checkbox>
  )
}

interface Row {
  group: Group
  depth: number
}

function flatten(groups: readonly Group[], depth = 0): Row[] {
  return groups.flatMap((group) => [{ group, depth }, ...flatten(group.subGroups, depth + 1)])
}
