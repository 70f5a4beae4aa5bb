import { Combobox, useCombobox } from '@mantine/core'
import type { NamedPrincipal } from '@quayside/contract/permissions/permission-entry'
import { realmRoles } from '@quayside/contract/permissions/roles'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useId, useState } from 'react'
import { useRoles } from '../../../api/roles.ts'
import field from '../../../ui/forms/field.module.css'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import '../../../ui/theme/mantine.css'
import { shortestSearch, usePrincipals } from '../../../api/permissions/permissions.ts'
import { detailOf } from '../why/words.ts'
import { PrincipalMark } from './principal-mark.tsx'
import styles from './principal-picker.module.css'

interface Props {
  /** Where they are to be members; left out for a space that is yet to be made. */
  spaceId?: string
  /** The same for the list of a dashboard. */
  dashboardId?: string
  label: string
  /** Nobody need be chosen. */
  optional?: boolean
  value: readonly NamedPrincipal[]
  error?: string
  /** Finds people alone, no groups and roles. */
  people?: boolean
  /** The chosen person is shown elsewhere. */
  plain?: boolean
  onChange: (picked: NamedPrincipal[]) => void
}

const keyOf = ({ type, id }: Pick<NamedPrincipal, 'type' | 'id'>) => `${type}:${id}`

/** Finds people, groups and roles by name; each one that is chosen stands as a chip above the search. */
export function PrincipalPicker({
  spaceId,
  dashboardId,
  label,
  optional = false,
  plain = false,
  people = false,
  value,
  error,
  onChange,
}: Props) {
  const id = useId()
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  const [search, setSearch] = useState('')
  const text = search.trim()
  const found = usePrincipals(spaceId, text, dashboardId)
  const roles = useRealmRoles().filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
  const taken = new Set(value.map(keyOf))
  const offered = [...(found.data ?? []), ...roles].filter(
    (one) => !taken.has(keyOf(one)) && (!people || one.type === 'user'),
  )
  const pick = (key: string) => {
    const one = offered.find((each) => keyOf(each) === key)
    if (one === undefined) return
    onChange([...value, one])
    setSearch('')
    box.closeDropdown()
  }
  return (
    <div className={field.field}>
      <label htmlFor={id} className={field.label}>
        {label}
        {!optional && <span aria-hidden="true"> *</span>}
      </label>
      <Combobox store={box} withinPortal={false} onOptionSubmit={pick} position="bottom-start">
        <Combobox.EventsTarget>
          <input
            id={id}
            type="text"
            autoComplete="off"
            data-autofocus={!optional}
            className={field.input}
            placeholder="Search by name"
            value={search}
            aria-invalid={error !== undefined}
            aria-describedby={error === undefined ? undefined : `${id}-error`}
            onChange={(event) => {
              setSearch(event.target.value)
              box.openDropdown()
              box.updateSelectedOptionIndex()
            }}
            onFocus={() => text !== '' && box.openDropdown()}
            onBlur={() => box.closeDropdown()}
          />
        </Combobox.EventsTarget>
        <Combobox.DropdownTarget>
          <span className={styles.anchor} />
        </Combobox.DropdownTarget>
        <Combobox.Dropdown hidden={text === ''} className={styles.list}>
          <Combobox.Options mah={240} style={{ overflowY: 'auto' }} aria-label={label}>
            <Offered search={text} isBusy={found.isFetching} error={found.error} offered={offered} />
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <span id={`${id}-error`} className={field.error} role="alert">
        <bdi>{error}</bdi>
      </span>
      {!plain && value.length > 0 && <Picked value={value} onChange={onChange} />}
    </div>
  )
}

/** Those who are chosen, each of whom can be taken out again. */
function Picked({ value, onChange }: Pick<Props, 'value' | 'onChange'>) {
  return (
    <ul className={styles.picked} aria-label="Chosen">
      {value.map((one) => (
        <li key={keyOf(one)} className={styles.chip}>
          <PrincipalMark type={one.type} name={one.name} size={20} />
          <bdi>{one.name}</bdi>
          <button
            type="button"
            aria-label={`Remove ${one.name}`}
            className={styles.remove}
            onClick={() => onChange(value.filter((each) => each !== one))}
          >
            <IconX size={14} stroke={1.75} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}

interface OfferedProps {
  search: string
  isBusy: boolean
  error: unknown
  offered: readonly NamedPrincipal[]
}

function Offered({ search, isBusy, error, offered }: OfferedProps) {
  const say = (text: string) => (
    <Combobox.Empty role="option" aria-disabled="true" aria-selected="false">
      {text}
    </Combobox.Empty>
  )
  if (search.length < shortestSearch) return say('Type at least 2 letters')
  if (error != null) return <ErrorPanel error={error} name="Search" />
  if (offered.length === 0) return isBusy ? <Loading card /> : say('Nobody found')
  return offered.map((one) => (
    <Combobox.Option key={keyOf(one)} value={keyOf(one)}>
      <span className={styles.option}>
        <PrincipalMark type={one.type} name={one.name} size={24} />
        <span className={styles.lines}>
          <bdi className={styles.name}>{one.name}</bdi>
          <bdi className={styles.detail}>{one.type === 'role' ? 'everybody with this role' : detailOf(one)}</bdi>
        </span>
      </span>
    </Combobox.Option>
  ))
}

/** Roles of the realm: all of them for who may read them, else those that every tenant starts with. */
function useRealmRoles(): NamedPrincipal[] {
  const roles = useRoles({ retry: false })
  const names = roles.data?.map(({ name }) => name) ?? (roles.isError ? Object.keys(realmRoles) : [])
  return names.map((name) => ({ type: 'role', id: name, name, detail: null, isGone: false }))
}
