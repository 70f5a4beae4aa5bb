import type { Group } from '@quayside/contract/groups/endpoints'
import { useId, useState } from 'react'
import { useGroups } from '../../../api/groups.ts'
import { Checkbox } from '../../../ui/forms/checkbox.tsx'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import type { ChosenGroup } from '../deploy-data.ts'
import { texts } from '../texts.ts'
import styles from './access-management.module.css'
import { holdsRole, matchingGroups, type Role, setGroup, setRole, stateOfGroup, withSubgroups } from './access-tree.ts'

interface Props {
  roles: readonly Role[]
  chosen: readonly ChosenGroup[]
  onChange: (chosen: ChosenGroup[]) => void
}

const t = texts.access
/** From here on it takes a search to find one. */
const manyGroups = 12

/** Groups with their subgroups and, in each, the resource roles of the new app. */
export function AccessManagement({ roles, chosen, onChange }: Props) {
  const heading = useId()
  const [search, setSearch] = useState('')
  const groups = useGroups()
  const all = groups.data ?? []
  const shown = matchingGroups(all, roles, search)
  return (
    <section aria-labelledby={heading} className={styles.step}>
      <p className={styles.text}>{t.text}</p>
      <div className={styles.head}>
        <h3 id={heading}>{t.groups}</h3>
        {withSubgroups(all).length >= manyGroups && (
          <SearchField label={t.search} value={search} onChange={setSearch} />
        )}
      </div>
      {all.some(({ subGroups }) => subGroups.length > 0) && roles.length > 0 && (
        <p className={styles.text}>
          <bdi>{t.inherited}</bdi>
        </p>
      )}
      {groups.error !== null && (
        <ErrorPanel error={groups.error} name={t.groups} onRetry={() => void groups.refetch()} />
      )}
      {groups.isPending && <Loading />}
      {groups.data !== undefined && all.length === 0 && <EmptyState title={t.noGroups} text={t.noGroupsText} />}
      {all.length > 0 && shown.length === 0 && <EmptyState title={texts.noMatch} />}
      {roles.length === 0 && (
        <p className={styles.text}>
          <bdi>{t.noRoles}</bdi>
        </p>
      )}
      <Groups
        groups={shown}
        tree={{ roles, chosen, onChange, whole: new Map(withSubgroups(all).map((group) => [group.id, group])) }}
      />
    </section>
  )
}

/** The props that all nodes share. `whole` has each group with all its subgroups, also while a search hides some. */
type Tree = Props & { whole: ReadonlyMap<string, Group> }

function Groups({ groups, tree }: { groups: readonly Group[]; tree: Tree }) {
  if (groups.length === 0) return null
  return (
    <ul className={styles.tree}>
      {groups.map((group) => (
        <GroupNode key={group.id} group={group} tree={tree} />
      ))}
    </ul>
  )
}

function GroupNode({ group, tree }: { group: Group; tree: Tree }) {
  const { roles, chosen, onChange } = tree
  const whole = tree.whole.get(group.id) ?? group
  const state = stateOfGroup(chosen, whole, roles)
  return (
    <li className={styles.group}>
      <div className={styles.row}>
        <Checkbox
          checked={state === 'all'}
          partial={state === 'some'}
          disabled={roles.length === 0}
          className={styles.name}
          onChange={(on) => onChange(setGroup(chosen, whole, roles, on))}
        >
          <bdi>{group.name}</bdi>
        </Checkbox>
        {roles.length > 0 && (
          <ul className={styles.roles}>
            {roles.map((role) => (
              <li key={role.id}>
                <Checkbox
                  checked={holdsRole(chosen, group.id, role.id)}
                  onChange={(on) => onChange(setRole(chosen, group, roles, role, on))}
                >
                  <bdi>{role.name}</bdi>
                  <span className="unseen"> for {group.name}</span>
                </Checkbox>
              </li>
            ))}
          </ul>
        )}
      </div>
      {group.subGroups.length > 0 && (
        <div className={styles.below}>
          <Groups groups={group.subGroups} tree={tree} />
        </div>
      )}
    </li>
  )
}
