import { type AskedRight, askedScopes } from '@quayside/contract/clusters/asked-right'
import { scopeTexts } from '@quayside/contract/permissions/scopes'
import { useId } from 'react'
import field from '../../../ui/forms/field.module.css'
import { Select } from '../../../ui/forms/select.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'

/** Rights that an approver may name: scopes of the space, or a role of the tenant by its name. */
const rights = [
  ...askedScopes.map((id) => ({ value: id as string, label: scopeTexts[id] })),
  { value: 'role', label: 'A role of the tenant' },
]

interface RightProps {
  value: AskedRight
  onChange: (right: AskedRight) => void
}

/** Asks for the right that deploying in a space asks for once an app there holds rights on the cluster. */
export function RightField({ value, onChange }: RightProps) {
  const id = useId()
  function choose(chosen: string) {
    const scope = askedScopes.find((one) => one === chosen)
    onChange(scope ? { type: 'scope', id: scope } : { type: 'role', id: '' })
  }
  return (
    <>
      <div className={field.field}>
        <label htmlFor={id} className={field.label}>
          Deploying in the space then asks for
        </label>
        <Select
          id={id}
          value={value.type === 'scope' ? value.id : 'role'}
          onChange={(event) => choose(event.target.value)}
        >
          {rights.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </Select>
      </div>
      {value.type === 'role' && (
        <TextField
          label="Role"
          help="A role of the realm by its name, or client:role."
          required
          value={value.id}
          onChange={(event) => onChange({ type: 'role', id: event.target.value.trim() })}
        />
      )}
    </>
  )
}
