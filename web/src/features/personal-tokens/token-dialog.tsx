import { tokenLimits } from '@quayside/contract/personal-tokens/limits'
import { useState } from 'react'
import { type NewToken, useCreateToken } from '../../api/personal-tokens.ts'
import { SpaceChoice } from '../../api/space-choice.tsx'
import { spacesPath } from '../../api/spaces.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { CopyField } from '../../ui/actions/copy-field.tsx'
import { Radio } from '../../ui/forms/checkbox.tsx'
import { FieldGroup } from '../../ui/forms/field-group.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { NameField } from '../../ui/forms/name-field.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { CodeView } from '../../ui/text/code-view.tsx'
import styles from './tokens.module.css'

const usualDays = 30

interface Props {
  /** The limit of the tenant. */
  longestDays: number
  onClose: () => void
}

/** Makes a token; its secret is shown once, with a line that uses it. */
export function TokenDialog({ longestDays, onClose }: Props) {
  const create = useCreateToken()
  const [name, setName] = useState('')
  const [days, setDays] = useState(String(Math.min(usualDays, longestDays)))
  const [readOnly, setReadOnly] = useState(true)
  const [spaceIds, setSpaceIds] = useState<string[] | null>(null)
  if (create.data !== undefined) return <Secret token={create.data} onClose={onClose} />
  const refused = create.error instanceof ApiError ? create.error : undefined
  const refusalOf = (field: string) => (refused?.field === field ? refused.message : undefined)
  const isCounted = /^\d{1,3}$/.test(days) && Number(days) >= 1 && Number(days) <= longestDays
  const daysProblem = days === '' || isCounted ? refusalOf('days') : `A number of days from 1 to ${longestDays}`
  return (
    <FormDialog
      title="New personal token"
      submitLabel="Create"
      busy={create.isPending}
      disabled={name.trim() === '' || !isCounted || spaceIds?.length === 0}
      error={['name', 'days'].includes(refused?.field ?? '') ? undefined : create.error}
      onClose={onClose}
      onSubmit={() => create.mutate({ name: name.trim(), days: Number(days), readOnly, spaceIds })}
    >
      <NameField
        value={name}
        most={tokenLimits.name}
        help="What it is for. The audit log names it."
        error={refusalOf('name')}
        onChange={setName}
      />
      <TextField
        label="Days until it expires"
        required
        inputMode="numeric"
        dir="ltr"
        maxLength={3}
        help={`At most ${longestDays}`}
        value={days}
        error={daysProblem}
        onChange={(event) => setDays(event.target.value.trim())}
      />
      <FieldGroup legend="What it may do">
        <Radio name="reach" checked={readOnly} onChange={() => setReadOnly(true)}>
          Read only
        </Radio>
        <Radio name="reach" checked={!readOnly} onChange={() => setReadOnly(false)}>
          Read and change, as you may at that moment
        </Radio>
      </FieldGroup>
      <FieldGroup legend="Where">
        <Radio name="where" checked={spaceIds === null} onChange={() => setSpaceIds(null)}>
          Everywhere you have access
        </Radio>
        <Radio name="where" checked={spaceIds !== null} onChange={() => setSpaceIds([])}>
          Only in some spaces
        </Radio>
        {spaceIds !== null && <SpaceChoice chosen={spaceIds} most={tokenLimits.spaces} onChange={setSpaceIds} />}
      </FieldGroup>
    </FormDialog>
  )
}

function Secret({ token, onClose }: { token: NewToken; onClose: () => void }) {
  const example = `curl -sS -H "authorization: Bearer $TOKEN" ${window.location.origin}${spacesPath}`
  return (
    <FormDialog title={`${token.name} is ready`} submitLabel="Done" busy={false} onClose={onClose} onSubmit={onClose}>
      <p className={styles.note}>
        <bdi>The token is shown only this once. Store it where your script can read it and nobody else can.</bdi>
      </p>
      <CopyField label="Token" value={token.secret} />
      <CodeView label="Use it from a shell" code={example} />
    </FormDialog>
  )
}
