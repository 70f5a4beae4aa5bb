import { longest } from '@quayside/contract/http/limits'
import { useState } from 'react'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { TagInput } from '../../../ui/forms/tag-input.tsx'
import { TextArea, TextField } from '../../../ui/forms/text-field.tsx'
import type { Content } from './use-draft.ts'

type Texts = Pick<Content, 'displayName' | 'description' | 'tags'>

interface Props {
  content: Texts
  onChange: (texts: Texts) => void
  onClose: () => void
}

/** The name, the description and the tags of a dashboard. */
export function SettingsDialog({ content, onChange, onClose }: Props) {
  const [texts, setTexts] = useState<Texts>({
    displayName: content.displayName,
    description: content.description,
    tags: content.tags,
  })
  const isNamed = texts.displayName.trim() !== ''
  return (
    <FormDialog
      title="Dashboard settings"
      submitLabel="Apply"
      onClose={onClose}
      onSubmit={() => isNamed && onChange(texts)}
      busy={false}
      disabled={!isNamed}
    >
      <TextField
        label="Name"
        required
        data-autofocus
        dir="auto"
        maxLength={longest.displayName}
        value={texts.displayName}
        onChange={(event) => setTexts({ ...texts, displayName: event.target.value })}
      />
      <TextArea
        label="Description"
        dir="auto"
        maxLength={longest.description}
        value={texts.description}
        onChange={(event) => setTexts({ ...texts, description: event.target.value })}
      />
      <TagInput label="Tags" value={texts.tags} onChange={(tags) => setTexts({ ...texts, tags })} />
    </FormDialog>
  )
}
