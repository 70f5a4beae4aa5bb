import type { Group } from '@quayside/contract/groups/endpoints'
import { longest } from '@quayside/contract/http/limits'
import { useState } from 'react'
import { useCreateGroup, useGroup, useUpdateGroup } from '../../api/groups.ts'
import { useGuard, useMay } from '../../api/permissions/my-scopes.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { AttributeGroup } from '../../ui/attributes/attribute-group.tsx'
import { type AttributeLine, attributesOf, linesOf } from '../../ui/attributes/attribute-lines.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { NameField } from '../../ui/forms/name-field.tsx'
import { TextArea } from '../../ui/forms/text-field.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'

interface NewProps {
  /** The group below which it is to be; left out: at the top. */
  parent: Group | undefined
  onClose: () => void
  onMade: (id: string) => void
}

/** Makes a group. */
export function NewGroupDialog({ parent, onClose, onMade }: NewProps) {
  const create = useCreateGroup(parent?.id)
  const [typed, setTyped] = useState({ name: '', description: '' })
  return (
    <Fields
      title={parent === undefined ? 'New group' : `New subgroup of ${parent.name}`}
      submitLabel="Create group"
      values={typed}
      onChange={(part) => {
        create.reset()
        setTyped({ ...typed, ...part })
      }}
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() =>
        create.mutate(
          { name: typed.name.trim(), description: typed.description.trim() },
          { onSuccess: ({ id }) => onMade(id) },
        )
      }
    />
  )
}

/** Changes name, description and attributes of a group. */
export function EditGroupDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const found = useGroup(group.id)
  const update = useUpdateGroup(group.id)
  const [may, guard] = [useMay(), useGuard()]
  const [typed, setTyped] = useState<{ name?: string; description?: string; attributes?: AttributeLine[] }>({})
  const { data } = found
  const change = (part: typeof typed) => {
    update.reset()
    setTyped({ ...typed, ...part })
  }
  const { attributes, ...texts } = typed
  return (
    <Fields
      title={`Edit ${group.name}`}
      submitLabel="Save"
      values={{ name: typed.name ?? group.name, description: typed.description ?? data?.description ?? '' }}
      onChange={change}
      busy={update.isPending || data === undefined}
      error={update.error}
      onClose={onClose}
      onSubmit={() =>
        update.mutate(
          { ...texts, ...(attributes === undefined ? {} : { attributes: attributesOf(attributes) }) },
          { onSuccess: onClose },
        )
      }
    >
      {found.error !== null && <ErrorPanel error={found.error} name="Group" />}
      {found.isLoading && <Loading card />}
      {data?.attributes != null && may('group.see-attributes') === true && (
        <AttributeGroup
          right={guard('group.attributes', `change the attributes of ${group.name}`)}
          lines={attributes ?? linesOf(data.attributes)}
          onChange={(lines) => change({ attributes: lines })}
        />
      )}
    </Fields>
  )
}

interface FieldsProps {
  title: string
  submitLabel: string
  values: { name: string; description: string }
  onChange: (part: { name?: string; description?: string }) => void
  busy: boolean
  error: unknown
  onClose: () => void
  onSubmit: () => void
  children?: React.ReactNode
}

function Fields({ title, submitLabel, values, onChange, busy, error, onClose, onSubmit, children }: FieldsProps) {
  const [asked, setAsked] = useState(false)
  const refused = error instanceof ApiError ? error : undefined
  const of = (field: string) => (refused?.field === field ? refused.message : undefined)
  const isMissing = values.name.trim() === ''
  const submit = () => {
    setAsked(true)
    if (!isMissing) onSubmit()
  }
  return (
    <FormDialog
      {...{ title, submitLabel, busy, onClose }}
      error={(of('name') ?? of('description')) ? undefined : error}
      onSubmit={submit}
    >
      <NameField
        value={values.name}
        most={longest.displayName}
        asked={asked}
        error={of('name')}
        onChange={(name) => onChange({ name })}
      />
      <TextArea
        label="Description"
        dir="auto"
        maxLength={longest.description}
        value={values.description}
        error={of('description')}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      {children}
    </FormDialog>
  )
}
