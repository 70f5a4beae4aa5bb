import { Modal } from '@mantine/core'
import type { Dashboard } from '@quayside/contract/dashboards/endpoints'
import type { DashboardPermission } from '@quayside/contract/dashboards/permission-list'
import { type DashboardScope, dashboardScopes, dashboardScopeTexts } from '@quayside/contract/dashboards/rules'
import type { NamedPrincipal } from '@quayside/contract/permissions/permission-entry'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type ReactNode, useState } from 'react'
import {
  useAddDashboardPermission,
  useChangeDashboardPermission,
  useDashboardPermissions,
  useRemoveDashboardPermission,
} from '../../api/dashboards/dashboards.ts'
import '../../ui/theme/mantine.css'
import { Button, IconButton } from '../../ui/actions/button.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import styles from './dashboard.module.css'

type People = readonly NamedPrincipal[]

interface Props {
  dashboard: Dashboard
  /** The search for people, groups and roles. */
  picker: (value: People, onChange: (people: People) => void) => ReactNode
  onClose: () => void
}

const levels = [
  { value: 'dashboard.view', label: 'Can view' },
  { value: 'dashboard.edit', label: 'Can edit' },
  { value: 'dashboard.share', label: 'Can edit and share' },
  { value: 'dashboard.manage', label: 'Can manage' },
] as const

/** The highest scope of an entry; each comes with those before it. */
const levelOf = (scopes: readonly DashboardScope[]): DashboardScope =>
  dashboardScopes.findLast((scope) => scopes.includes(scope)) ?? 'dashboard.view'
const scopesOf = (level: DashboardScope): DashboardScope[] =>
  dashboardScopes.slice(0, dashboardScopes.indexOf(level) + 1)

/** The permission list of a dashboard. */
export function ShareDialog({ dashboard, picker, onClose }: Props) {
  const { id, displayName, scopes } = dashboard
  const list = useDashboardPermissions(id)
  const [change, remove] = [useChangeDashboardPermission(id), useRemoveDashboardPermission(id)]
  const mayShare = scopes.includes('dashboard.share')
  const error = change.error ?? remove.error
  return (
    <Modal opened onClose={onClose} title={`Share ${displayName}`} size={640}>
      <p className={styles.detail}>
        Everybody sees in its panels what they may see themselves: sharing a dashboard gives no rights to spaces or
        clusters.
      </p>
      {mayShare && <AddPeople dashboard={dashboard} picker={picker} />}
      {list.error !== null && <ErrorPanel error={list.error} name="Permissions" onRetry={() => void list.refetch()} />}
      {error !== null && <ErrorPanel error={error} name="Permissions" />}
      {list.isPending && <Loading />}
      <ul className={styles.entries} aria-label="Permissions">
        {list.data?.map((entry) => (
          <Entry
            key={entry.id}
            entry={entry}
            held={scopes}
            mayShare={mayShare}
            onChange={(level) => change.mutate({ id: entry.id, scopes: scopesOf(level) })}
            onRemove={() => remove.mutate(entry.id)}
          />
        ))}
      </ul>
    </Modal>
  )
}

interface EntryProps {
  entry: DashboardPermission
  held: readonly DashboardScope[]
  mayShare: boolean
  onChange: (level: DashboardScope) => void
  onRemove: () => void
}

function Entry({ entry: { principal, scopes }, held, mayShare, onChange, onRemove }: EntryProps) {
  const mayChange = mayShare && scopes.every((scope) => held.includes(scope))
  return (
    <li className={styles.entry}>
      <span className={styles.who}>
        <bdi>{principal.name}</bdi>
        <bdi className={styles.detail}>
          {principal.isGone ? 'does not exist any more' : (principal.detail ?? principal.type)}
        </bdi>
      </span>
      <LevelSelect
        label={`Permission of ${principal.name}`}
        value={levelOf(scopes)}
        held={held}
        disabled={!mayChange}
        onChange={onChange}
      />
      {mayChange && <IconButton icon={IconTrash} label={`Remove ${principal.name}`} onClick={onRemove} />}
    </li>
  )
}

interface LevelProps {
  label: string
  value: DashboardScope
  held: readonly DashboardScope[]
  disabled?: boolean
  onChange: (level: DashboardScope) => void
}

/** Nobody grants what they do not hold. */
function LevelSelect({ label, value, held, disabled = false, onChange }: LevelProps) {
  const offered = levels.filter(
    (level) => level.value === value || scopesOf(level.value).every((scope) => held.includes(scope)),
  )
  return (
    <Select
      aria-label={label}
      title={dashboardScopeTexts[value]}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value as DashboardScope)}
    >
      {offered.map((level) => (
        <option key={level.value} value={level.value}>
          {level.label}
        </option>
      ))}
    </Select>
  )
}

/** Adds people, groups and roles, or everybody of the tenant. */
function AddPeople({ dashboard: { id, scopes }, picker }: Pick<Props, 'dashboard' | 'picker'>) {
  const [people, setPeople] = useState<People>([])
  const [level, setLevel] = useState<DashboardScope>('dashboard.view')
  const add = useAddDashboardPermission(id)

  const share = async () => {
    let left = people
    for (const { type, id: principalId } of people) {
      try {
        await add.mutateAsync({ principal: { type, id: principalId }, scopes: scopesOf(level) })
      } catch {
        // Those who are on the list by now stay there; the rest is kept with the reason.
        return setPeople(left)
      }
      left = left.slice(1)
    }
    setPeople([])
  }
  return (
    <>
      {picker(people, setPeople)}
      {add.error !== null && <ErrorPanel error={add.error} name="Share" />}
      <div className={styles.entry}>
        <LevelSelect label="Permission" value={level} held={scopes} onChange={setLevel} />
        <Button look="primary" busy={add.isPending} disabled={people.length === 0} onClick={() => void share()}>
          Share
        </Button>
        <Button
          disabled={add.isPending}
          onClick={() => add.mutate({ principal: { type: 'everyone', id: '' }, scopes: scopesOf(level) })}
        >
          Share with everyone
        </Button>
      </div>
    </>
  )
}
