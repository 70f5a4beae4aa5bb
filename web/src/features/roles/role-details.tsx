import { longest } from '@quayside/contract/http/limits'
import type { RoleDetail } from '@quayside/contract/roles/endpoints'
import { type FormEvent, useState } from 'react'
import { useGuard, useMay } from '../../api/permissions/my-scopes.ts'
import { useUpdateRole } from '../../api/roles.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { AttributeGroup } from '../../ui/attributes/attribute-group.tsx'
import { type AttributeLine, attributesOf, linesOf } from '../../ui/attributes/attribute-lines.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import styles from './roles.module.css'

interface Typed {
  name?: string
  description?: string
  attributes?: AttributeLine[]
}

const fields = [
  { field: 'name', label: 'Name', max: longest.roleName },
  { field: 'description', label: 'Description', max: longest.shortDescription },
] as const

/** Name, description and attributes of a role; the portal's own roles stay as they are. */
export function RoleDetails({ role }: { role: RoleDetail }) {
  const [may, guard] = [useMay(), useGuard()]
  const right = guard('role.edit', `edit ${role.name}`)
  const [typed, setTyped] = useState<Typed>({})
  const update = useUpdateRole(role.id)
  const isClosed = role.builtIn || right.allowed !== true
  const refused = update.error instanceof ApiError ? update.error : undefined
  const isExplained = fields.some(({ field }) => refused?.field === field)
  const change = (part: Typed) => {
    update.reset()
    setTyped({ ...typed, ...part })
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    const { attributes, ...texts } = typed
    update.mutate(
      { ...texts, ...(attributes === undefined ? {} : { attributes: attributesOf(attributes) }) },
      { onSuccess: () => setTyped({}) },
    )
  }
  return (
    <Panel title="Details">
      <form className={styles.stack} onSubmit={save} noValidate>
        {role.builtIn && (
          <p className={styles.text}>
            <bdi>The portal needs this role, so it cannot be changed.</bdi>
          </p>
        )}
        {fields.map(({ field, label, max }) => (
          <TextField
            key={field}
            label={label}
            dir="auto"
            disabled={isClosed}
            maxLength={max}
            value={typed[field] ?? role[field]}
            error={refused?.field === field ? refused.message : undefined}
            onChange={(event) => change({ [field]: event.target.value })}
          />
        ))}
        {role.attributes !== null && may('role.see-attributes') === true && (
          <AttributeGroup
            right={guard('role.attributes', `change the attributes of ${role.name}`)}
            disabled={isClosed}
            lines={typed.attributes ?? linesOf(role.attributes)}
            onChange={(attributes) => change({ attributes })}
          />
        )}
        {update.error !== null && !isExplained && <ErrorPanel error={update.error} name="Save" />}
        <div className={styles.bar}>
          <GuardedButton
            {...right}
            type="submit"
            look="primary"
            busy={update.isPending}
            disabled={role.builtIn || Object.keys(typed).length === 0}
          >
            Save
          </GuardedButton>
        </div>
      </form>
    </Panel>
  )
}
