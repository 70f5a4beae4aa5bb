import type { NamedPrincipal, Permission } from '@quayside/contract/permissions/permission-entry'
import { useState } from 'react'
import { useAddPermission, useChangePermission } from '../../../api/permissions/permissions.ts'
import { useSpaceRoles } from '../../../api/permissions/space-roles.ts'
import { ApiError } from '../../../lib/api/api-error.ts'
import { Checkbox } from '../../../ui/forms/checkbox.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { detailOf } from '../why/words.ts'
import { type Ends, endsOf, momentOf } from './ends.ts'
import { EndsField } from './ends-field.tsx'
import styles from './permission-form.module.css'
import { PrincipalMark } from './principal-mark.tsx'
import { PrincipalPicker } from './principal-picker.tsx'
import { RoleField } from './role-field.tsx'

/** The form's initial values. */
export interface Begin {
  people?: readonly NamedPrincipal[]
  role?: string
}

interface Props {
  spaceId: string
  /** Tells whether the person may make owners. */
  mayOwn: boolean
  onClose: () => void
}

const pastText = 'Choose a time in the future'

/** Gives people, groups or everybody with a role the same role in a space. */
export function AddMembersDialog({ spaceId, mayOwn, begin = {}, onClose }: Props & { begin?: Begin }) {
  const [people, setPeople] = useState<readonly NamedPrincipal[]>(begin.people ?? [])
  const [role, setRole] = useState(begin.role ?? 'viewer')
  const [ends, setEnds] = useState<Ends>({ kind: 'never' })
  const [owner, setOwner] = useState(false)
  const [asked, setAsked] = useState(false)
  const add = useAddPermission(spaceId)
  const roles = useSpaceRoles()
  const refused = add.error instanceof ApiError ? add.error : undefined
  const of = (field: string) => (refused?.field === field ? refused.message : undefined)
  const nobody = people.length === 0

  const submit = async () => {
    setAsked(true)
    const expiresAt = momentOf(ends, Date.now())
    if (nobody || expiresAt === undefined) return
    let left = people
    for (const { type, id } of people) {
      try {
        await add.mutateAsync({ principal: { type, id }, role, owner, expiresAt })
      } catch {
        // Those who are on the list by now stay there; the rest is kept with the reason.
        return setPeople(left)
      }
      left = left.filter((one) => one.id !== id || one.type !== type)
    }
    onClose()
  }
  return (
    <FormDialog
      title="Add members"
      submitLabel={people.length > 1 ? `Add ${people.length} members` : 'Add member'}
      onClose={onClose}
      onSubmit={() => void submit()}
      busy={add.isPending}
      disabled={nobody}
      error={['principal.id', 'expiresAt', 'role'].some((field) => of(field)) ? undefined : add.error}
    >
      <PrincipalPicker
        spaceId={spaceId}
        label="People, groups or roles"
        value={people}
        error={of('principal.id')}
        onChange={setPeople}
      />
      <RoleField roles={roles.data} error={roles.error} value={role} invalid={of('role')} onChange={setRole} />
      <EndsField
        value={ends}
        error={of('expiresAt') ?? (asked && momentOf(ends, Date.now()) === undefined ? pastText : undefined)}
        onChange={setEnds}
      />
      <OwnerBox value={owner} mayOwn={mayOwn} onChange={setOwner} />
    </FormDialog>
  )
}

/** Changes the role, the end or the ownership of one entry. */
export function ChangeMemberDialog({ spaceId, mayOwn, entry, onClose }: Props & { entry: Permission }) {
  const [role, setRole] = useState(entry.role.id)
  const [ends, setEnds] = useState<Ends>(() => endsOf(entry.expiresAt))
  const [owner, setOwner] = useState(entry.owner)
  const change = useChangePermission(spaceId)
  const roles = useSpaceRoles()
  const refused = change.error instanceof ApiError ? change.error : undefined
  const of = (field: string) => (refused?.field === field ? refused.message : undefined)
  const same = endsOf(entry.expiresAt)
  const isSameEnd = ends.kind === same.kind && (ends.kind !== 'date' || ends.local === (same as typeof ends).local)
  const expiresAt = isSameEnd ? entry.expiresAt : momentOf(ends, Date.now())

  const submit = () => {
    if (expiresAt === undefined) return
    change.mutate({ id: entry.id, role, owner, expiresAt }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title="Change member"
      submitLabel="Save"
      onClose={onClose}
      onSubmit={submit}
      busy={change.isPending}
      disabled={expiresAt === undefined || (role === entry.role.id && owner === entry.owner && isSameEnd)}
      error={['expiresAt', 'role', 'owner'].some((field) => of(field)) ? undefined : change.error}
    >
      <div className={styles.about}>
        <PrincipalMark type={entry.principal.type} name={entry.principal.name} />
        <span>
          <strong>
            <bdi>{entry.principal.name}</bdi>
          </strong>
          <bdi className={styles.detail}>{detailOf(entry.principal)}</bdi>
        </span>
      </div>
      <RoleField roles={roles.data} error={roles.error} value={role} invalid={of('role')} onChange={setRole} />
      <EndsField
        value={ends}
        error={of('expiresAt') ?? (expiresAt === undefined ? pastText : undefined)}
        onChange={setEnds}
      />
      <OwnerBox value={owner} mayOwn={mayOwn} error={of('owner')} onChange={setOwner} />
    </FormDialog>
  )
}

interface OwnerProps {
  value: boolean
  mayOwn: boolean
  error?: string
  onChange: (owner: boolean) => void
}

function OwnerBox({ value, mayOwn, error, onChange }: OwnerProps) {
  const text = 'Owners decide on the members and owners of the space and can delete it.'
  return (
    <div className={styles.owner}>
      <Checkbox checked={value} disabled={!mayOwn} aria-describedby="owner-note" onChange={onChange}>
        Owner
      </Checkbox>
      <p id="owner-note" className={styles.note}>
        <bdi>{mayOwn ? text : `${text} Only owners can change this.`}</bdi>
      </p>
      {error !== undefined && (
        <p role="alert" className={styles.note}>
          <bdi>{error}</bdi>
        </p>
      )}
    </div>
  )
}
