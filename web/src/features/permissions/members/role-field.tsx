import type { SpaceRole } from '@quayside/contract/permissions/endpoints'
import { listed, scopeWords } from '../../../api/permissions/scope-words.ts'
import { OptionSelect } from '../../../ui/forms/option-select.tsx'

/** A role in a space with its scopes, or one of the tenant, which has none in particular. */
type Choice = Pick<SpaceRole, 'id' | 'name'> & Partial<Pick<SpaceRole, 'scopes'>>

interface Props {
  label?: string
  roles: readonly Choice[] | undefined
  error?: unknown
  value: string
  invalid?: string
  onChange: (role: string) => void
}

/** A role in a space, each with what it may do. */
export function RoleField({ label = 'Role here', roles, error, value, invalid, onChange }: Props) {
  return (
    <OptionSelect
      label={label}
      options={roles?.map((role) => ({
        value: role.id,
        label: role.name,
        text: role.scopes === undefined ? '' : `Can ${listed(role.scopes.map((scope) => scopeWords[scope]))}`,
      }))}
      error={error}
      errorName="Roles"
      value={value}
      invalid={invalid}
      onChange={(role) => role !== undefined && onChange(role)}
    />
  )
}
