import { longest } from '@quayside/contract/http/limits'
import { useState } from 'react'
import { useSaveConfiguration } from '../../../api/dashboards/dashboards.ts'
import { ApiError } from '../../../lib/api/api-error.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { NameField } from '../../../ui/forms/name-field.tsx'
import { Choice } from '../../../ui/forms/select.tsx'
import { TextArea } from '../../../ui/forms/text-field.tsx'
import { type EditedConfiguration, inputOf, lineRules, linesOf } from './configuration-content.ts'
import { configurationKinds } from './configuration-kinds.ts'

interface Props {
  /** The configuration to change, as it was when the dialog was opened; left out, a new one is made. */
  configuration: EditedConfiguration | undefined
  onClose: () => void
}

/** Makes a configuration of links or variables, or changes one. */
export function ConfigurationDialog({ configuration, onClose }: Props) {
  const [kind, setKind] = useState(configuration?.kind ?? 'links')
  const [name, setName] = useState(configuration?.name ?? '')
  const [text, setText] = useState(() => (configuration ? linesOf(configuration) : ''))
  const [asked, setAsked] = useState(false)
  const save = useSaveConfiguration()
  const { help, problemIn } = lineRules[kind]
  const problem = problemIn(text)
  const refused = save.error instanceof ApiError && save.error.field === 'name' ? save.error.message : undefined
  const submit = () => {
    setAsked(true)
    if (name.trim() === '' || problem !== undefined) return
    save.mutate(inputOf(kind, name.trim(), text, configuration), { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={configuration === undefined ? 'New configuration' : 'Edit configuration'}
      submitLabel={configuration === undefined ? 'Create configuration' : 'Save'}
      onClose={onClose}
      onSubmit={submit}
      busy={save.isPending}
      error={refused === undefined ? save.error : undefined}
    >
      <NameField
        value={name}
        most={longest.displayName}
        asked={asked}
        error={refused}
        onChange={(next) => {
          save.reset()
          setName(next)
        }}
      />
      {configuration === undefined && (
        <Choice
          label="Kind"
          value={kind}
          options={(['links', 'variables'] as const).map((value) => ({ value, label: configurationKinds[value] }))}
          onChange={setKind}
        />
      )}
      <TextArea
        label={configurationKinds[kind]}
        help={help}
        error={asked ? problem : undefined}
        rows={8}
        dir="auto"
        value={text}
        onChange={({ target: { value } }) => setText(value)}
      />
    </FormDialog>
  )
}
