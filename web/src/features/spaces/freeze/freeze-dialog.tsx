import { longest } from '@quayside/contract/http/limits'
import type { Freeze, Space } from '@quayside/contract/spaces/endpoints'
import { type ReactNode, useState } from 'react'
import { useFreezeSpace } from '../../../api/space.ts'
import { ApiError } from '../../../lib/api/api-error.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { TextArea, TextField } from '../../../ui/forms/text-field.tsx'
import { localOf } from '../../../ui/text/local-moment.ts'

type Exempt = Freeze['exempt']
/** Draws a choice of people who deploy during a freeze. */
export type ExemptField = (space: Space, value: Exempt, onChange: (exempt: Exempt) => void) => ReactNode

interface Props {
  space: Space
  exemptField: ExemptField
  onClose: () => void
}

/** Begins a freeze of a space, or changes the one that there is. */
export function FreezeDialog({ space, exemptField, onClose }: Props) {
  const { freeze } = space
  const [reason, setReason] = useState(freeze?.reason ?? '')
  const [until, setUntil] = useState(freeze?.until ? localOf(freeze.until) : '')
  const [exempt, setExempt] = useState<Exempt>(freeze?.exempt ?? [])
  const [asked, setAsked] = useState(false)
  const save = useFreezeSpace(space.id)
  const refused = save.error instanceof ApiError ? save.error : undefined
  const of = (field: string) => (refused?.field === field ? refused.message : undefined)
  const noReason = asked && reason.trim() === '' ? 'Reason required' : undefined

  const submit = () => {
    setAsked(true)
    if (reason.trim() === '') return
    const end = until === '' ? null : new Date(until).toISOString()
    save.mutate({ reason: reason.trim(), until: end, exempt: exempt.map(({ id }) => id) }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={freeze === null ? 'Freeze deployments' : 'Change the freeze'}
      submitLabel={freeze === null ? 'Freeze' : 'Save'}
      onClose={onClose}
      onSubmit={submit}
      busy={save.isPending}
      error={(of('reason') ?? of('until')) ? undefined : save.error}
    >
      <TextArea
        label="Reason"
        dir="auto"
        required
        data-autofocus
        maxLength={longest.description}
        help="Shown to everyone who tries to deploy in this space. Kubeconfigs of the space go on working."
        value={reason}
        error={noReason ?? of('reason')}
        onChange={(event) => setReason(event.target.value)}
      />
      {exemptField(space, exempt, setExempt)}
      <TextField
        label="Ends"
        type="datetime-local"
        help="Leave empty to end it yourself."
        value={until}
        error={of('until')}
        onChange={(event) => setUntil(event.target.value)}
      />
    </FormDialog>
  )
}
