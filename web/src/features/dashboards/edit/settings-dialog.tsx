import { longest } from '@quayside/contract/http/limits'
import { useState } from 'react'
import { ranges, refreshes, withShown } from '../../../lib/durations.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { NameField } from '../../../ui/forms/name-field.tsx'
import { Choice } from '../../../ui/forms/select.tsx'
import { TagInput } from '../../../ui/forms/tag-input.tsx'
import { TextArea, TextField } from '../../../ui/forms/text-field.tsx'
import { titlesOf } from './grid.ts'
import type { Content } from './use-draft.ts'

export interface Settings extends Pick<Content, 'displayName' | 'description' | 'tags'>, Times {
  /** Titles of the sections, one for each grid of panels. */
  sections: string[]
}
type Times = Pick<Content['spec'], 'duration' | 'refreshInterval'>

interface Props {
  content: Content
  onChange: (settings: Settings) => void
  onClose: () => void
}

/** The name, description and tags of a dashboard, the time range and refresh that it opens with, and titles of its sections. */
export function SettingsDialog({ content, onChange, onClose }: Props) {
  const [settings, setSettings] = useState<Settings>({
    displayName: content.displayName,
    description: content.description,
    tags: content.tags,
    duration: content.spec.duration,
    refreshInterval: content.spec.refreshInterval,
    sections: titlesOf(content.spec),
  })
  const isNamed = settings.displayName.trim() !== ''
  return (
    <FormDialog
      title="Dashboard settings"
      submitLabel="Apply"
      onClose={onClose}
      onSubmit={() => isNamed && onChange(settings)}
      busy={false}
      disabled={!isNamed}
    >
      <NameField
        value={settings.displayName}
        most={longest.displayName}
        error={undefined}
        onChange={(displayName) => setSettings({ ...settings, displayName })}
      />
      <TextArea
        label="Description"
        dir="auto"
        maxLength={longest.description}
        value={settings.description}
        onChange={(event) => setSettings({ ...settings, description: event.target.value })}
      />
      <TagInput label="Tags" value={settings.tags} onChange={(tags) => setSettings({ ...settings, tags })} />
      <Choice
        label="Time range"
        value={settings.duration}
        options={withShown(ranges, settings.duration)}
        onChange={(duration) => setSettings({ ...settings, duration })}
      />
      <Choice
        label="Refresh"
        value={settings.refreshInterval}
        options={withShown(refreshes, settings.refreshInterval)}
        onChange={(refreshInterval) => setSettings({ ...settings, refreshInterval })}
      />
      {settings.sections.map((title, at) => (
        <TextField
          // biome-ignore lint/suspicious/noArrayIndexKey: sections are told apart by their place alone.
          key={at}
          label={settings.sections.length > 1 ? `Title of section ${at + 1}` : 'Title above the panels'}
          dir="auto"
          maxLength={longest.displayName}
          value={title}
          onChange={({ target: { value } }) =>
            setSettings({ ...settings, sections: settings.sections.with(at, value) })
          }
        />
      ))}
    </FormDialog>
  )
}
