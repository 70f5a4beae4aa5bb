import { longest } from '@quayside/contract/http/limits'
import { useState } from 'react'
import { ranges, refreshes, withShown } from '../../../lib/durations.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { TagInput } from '../../../ui/forms/tag-input.tsx'
import { TextArea, TextField } from '../../../ui/forms/text-field.tsx'
import { Choice } from './choice.tsx'
import type { Content } from './use-draft.ts'

export type Settings = Pick<Content, 'displayName' | 'description' | 'tags'> & Times
type Times = Pick<Content['spec'], 'duration' | 'refreshInterval'>

interface Props {
  content: Content
  onChange: (texts: Settings) => void
  onClose: () => void
}

/** The name, description and tags of a dashboard, and the time range and refresh that it opens with. */
export function SettingsDialog({ content, onChange, onClose }: Props) {
  const [texts, setSettings] = useState<Settings>({
    displayName: content.displayName,
    description: content.description,
    tags: content.tags,
    duration: content.spec.duration,
    refreshInterval: content.spec.refreshInterval,
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
        onChange={(event) => setSettings({ ...texts, displayName: event.target.value })}
      />
      <TextArea
        label="Description"
        dir="auto"
        maxLength={longest.description}
        value={texts.description}
        onChange={(event) => setSettings({ ...texts, description: event.target.value })}
      />
      <TagInput label="Tags" value={texts.tags} onChange={(tags) => setSettings({ ...texts, tags })} />
      <Choice
        label="Time range"
        value={texts.duration}
        options={withShown(ranges, texts.duration)}
        onChange={(duration) => setSettings({ ...texts, duration })}
      />
      <Choice
        label="Refresh"
        value={texts.refreshInterval}
        options={withShown(refreshes, texts.refreshInterval)}
        onChange={(refreshInterval) => setSettings({ ...texts, refreshInterval })}
      />
    </FormDialog>
  )
}
