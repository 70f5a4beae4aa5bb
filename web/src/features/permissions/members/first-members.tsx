import type { NamedPrincipal, PermissionInput } from '@quayside/contract/permissions/permission-entry'
import { spaceRoles } from '@quayside/contract/permissions/scopes'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useState } from 'react'
import { useSpaceRoles } from '../../../api/permissions/space-roles.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { IconButton } from '../../../ui/actions/button.tsx'
import { FieldGroup } from '../../../ui/forms/field-group.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import styles from './first-members.module.css'
import { PrincipalMark } from './principal-mark.tsx'
import { PrincipalPicker } from './principal-picker.tsx'

interface Props {
  value: readonly PermissionInput[]
  onChange: (members: PermissionInput[]) => void
}

const keyOf = ({ type, id }: { type: string; id: string }) => `${type}:${id}`

/** Choices while the server's list of roles is not there. */
const builtIn = Object.entries(spaceRoles).map(([id, { name }]) => ({ id, name }))

/** The members and roles of a space about to be created; its creator becomes owner. */
export function FirstMembers({ value, onChange }: Props) {
  const { me } = usePortal()
  const { userId, username, firstName, lastName } = me()
  const own = `${firstName} ${lastName}`.trim() || username
  const maker: NamedPrincipal = { type: 'user', id: userId, name: own, detail: null, isGone: false }
  const roles = useSpaceRoles()
  const [named, setNamed] = useState<readonly NamedPrincipal[]>([])
  const pick = (picked: NamedPrincipal[]) => {
    const people = picked.filter((one) => keyOf(one) !== keyOf(maker))
    setNamed(people)
    onChange(
      people.map(
        ({ type, id }) =>
          value.find(({ principal }) => keyOf(principal) === keyOf({ type, id })) ?? {
            principal: { type, id },
            ...{ role: 'deployer', owner: false, expiresAt: null },
          },
      ),
    )
  }
  return (
    <FieldGroup legend="Members">
      <ul className={styles.list}>
        <li className={styles.member}>
          <PrincipalMark type="user" name={own} size={24} />
          <bdi className={styles.name}>{own}</bdi>
          <span className={styles.fixed}>Manager, owner</span>
        </li>
        {value.map((member) => {
          const one = named.find((each) => keyOf(each) === keyOf(member.principal))
          const name = one?.name ?? member.principal.id
          return (
            <li key={keyOf(member.principal)} className={styles.member}>
              <PrincipalMark type={member.principal.type} name={name} size={24} />
              <bdi className={styles.name}>{name}</bdi>
              <Select
                aria-label={`Role of ${name}`}
                value={member.role}
                onChange={(event) =>
                  onChange(value.map((each) => (each === member ? { ...each, role: event.target.value } : each)))
                }
              >
                {(roles.data ?? builtIn).map((role) => (
                  <option key={role.id} value={role.id}>
                    {role.name}
                  </option>
                ))}
              </Select>
              <IconButton
                icon={IconX}
                label={`Remove ${name}`}
                onClick={() => pick(named.filter((each) => keyOf(each) !== keyOf(member.principal)))}
              />
            </li>
          )
        })}
      </ul>
      <PrincipalPicker label="Add people, groups or roles" optional plain value={[maker, ...named]} onChange={pick} />
    </FieldGroup>
  )
}
