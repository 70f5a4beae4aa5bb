import { longest } from '@quayside/contract/http/limits'
import type { SpaceRole } from '@quayside/contract/permissions/endpoints'
import { type Scope, scopes, scopesEverywhere, scopeTexts } from '@quayside/contract/permissions/scopes'
import { useId, useState } from 'react'
import { standingOf } from '../../../api/permissions/my-scopes.ts'
import { useSaveSpaceRole } from '../../../api/permissions/space-roles.ts'
import { ApiError } from '../../../lib/api/api-error.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { Checkbox } from '../../../ui/forms/checkbox.tsx'
import field from '../../../ui/forms/field.module.css'
import { FieldGroup } from '../../../ui/forms/field-group.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { withoutScope, withScope } from './scope-choice.ts'
import styles from './space-role-dialog.module.css'

interface Props {
  /** The role to change; left out, a new one is defined. */
  role?: SpaceRole
  onClose: () => void
}

/** Defines a role from scopes. A scope brings what it is of no use without, and takes with it what needs it. */
export function SpaceRoleDialog({ role, onClose }: Props) {
  const { me } = usePortal()
  const held = scopesEverywhere(standingOf(me()).roles)
  const [name, setName] = useState(role?.name ?? '')
  const [description, setDescription] = useState(role?.description ?? '')
  const [chosen, setChosen] = useState<readonly Scope[]>(role?.scopes ?? ['space.view'])
  const [touched, setTouched] = useState(false)
  const save = useSaveSpaceRole(role?.id)
  const refused = save.error instanceof ApiError ? save.error : undefined
  const of = (wanted: string) => (refused?.field === wanted ? refused.message : undefined)
  const missing = name.trim() === ''
  const group = useId()

  const submit = () => {
    setTouched(true)
    if (missing || chosen.length === 0) return
    save.mutate({ name: name.trim(), description: description.trim(), scopes: [...chosen] }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={role === undefined ? 'New role' : 'Edit role'}
      submitLabel={role === undefined ? 'Create role' : 'Save'}
      onClose={onClose}
      onSubmit={submit}
      busy={save.isPending}
      disabled={missing || chosen.length === 0}
      error={['name', 'description', 'scopes'].some((each) => of(each)) ? undefined : save.error}
    >
      <TextField
        label="Name"
        required
        data-autofocus
        maxLength={longest.roleName}
        value={name}
        error={of('name') ?? (touched && missing ? 'Name required' : undefined)}
        onChange={(event) => setName(event.target.value)}
        onBlur={() => setTouched(name !== '')}
      />
      <TextField
        label="For"
        maxLength={longest.description}
        value={description}
        error={of('description')}
        onChange={(event) => setDescription(event.target.value)}
      />
      <FieldGroup legend="Can" aria-describedby={`${group}-error`}>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            checked={chosen.includes(scope)}
            disabled={!held.has(scope)}
            onChange={(on) => setChosen(on ? withScope(chosen, scope) : withoutScope(chosen, scope))}
          >
            <span className={styles.scope}>
              {scopeTexts[scope]}
              <span className={styles.name}>
                {held.has(scope) ? scope : `${scope} · you do not have it in every space yourself`}
              </span>
            </span>
          </Checkbox>
        ))}
        <span id={`${group}-error`} className={field.error} role="alert">
          <bdi>{of('scopes')}</bdi>
        </span>
      </FieldGroup>
      {role !== undefined && (
        <p className={styles.note}>
          <bdi>The change applies at once to everyone who has this role, in every space.</bdi>
        </p>
      )}
    </FormDialog>
  )
}
