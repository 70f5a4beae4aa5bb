import { longest } from '@quayside/contract/http/limits'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCreateDashboard } from '../../api/dashboards/dashboards.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { NameField } from '../../ui/forms/name-field.tsx'
import { TagInput } from '../../ui/forms/tag-input.tsx'
import { TextArea } from '../../ui/forms/text-field.tsx'

/** Makes an empty dashboard, and opens it to be edited. */
export function NewDashboardDialog({ onClose }: { onClose: () => void }) {
  const [displayName, setName] = useState('')
  const [description, setDescription] = useState('')
  const [tags, setTags] = useState<string[]>([])
  const [asked, setAsked] = useState(false)
  const create = useCreateDashboard()
  const navigate = useNavigate()
  const refused = create.error instanceof ApiError ? create.error : undefined
  const of = (field: string) => (refused?.field === field ? refused.message : undefined)
  const name = displayName.trim()

  const submit = () => {
    setAsked(true)
    if (name === '') return
    create.mutate(
      { displayName: name, description, tags },
      {
        onSuccess: ({ id }) =>
          void navigate({
            to: '/dashboards/$dashboardId',
            params: { dashboardId: id },
            search: { edit: '1' } as never,
          }),
      },
    )
  }
  return (
    <FormDialog
      title="New dashboard"
      submitLabel="Create dashboard"
      onClose={onClose}
      onSubmit={submit}
      busy={create.isPending}
      error={of('displayName') ? undefined : create.error}
    >
      <NameField
        value={displayName}
        most={longest.displayName}
        asked={asked}
        error={of('displayName')}
        onChange={setName}
      />
      <TextArea
        label="Description"
        dir="auto"
        maxLength={longest.description}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <TagInput label="Tags" value={tags} onChange={setTags} />
    </FormDialog>
  )
}
