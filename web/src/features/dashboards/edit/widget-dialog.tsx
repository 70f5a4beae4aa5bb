import type { Widget } from '@quayside/contract/dashboards/library'
import type { Plugin } from '@quayside/contract/dashboards/spec'
import { useState } from 'react'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { Choice } from '../../../ui/forms/select.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { SpaceSelect } from './plugin-fields.tsx'

type Settings = Readonly<Record<string, string>>

interface Props {
  widget: Widget
  onDone: (plugin: Plugin) => void
  onClose: () => void
}

export const asksForSettings = ({ settingsSchema }: Widget): boolean =>
  Object.keys(settingsSchema.properties).length > 0

/** The settings that a registered widget asks for before there is a panel of it. */
export function WidgetDialog({ widget, onDone, onClose }: Props) {
  const { title, settingsSchema, bindings } = widget
  const asked = Object.entries(settingsSchema.properties)
  const [settings, setSettings] = useState<Settings>(() =>
    Object.fromEntries(asked.map(([name, property]) => [name, property.default ?? property.enum?.[0] ?? ''])),
  )
  return (
    <FormDialog
      title={title}
      submitLabel="Add panel"
      busy={false}
      onClose={onClose}
      onSubmit={() => onDone(pluginWith(widget, settings))}
    >
      {asked.map(([name, property]) => {
        const value = settings[name] ?? ''
        const set = (next: string) => setSettings({ ...settings, [name]: next })
        if (bindings[name] === 'spaceId')
          return (
            <SpaceSelect
              key={name}
              label={property.title}
              value={value === '' ? undefined : value}
              isNeeded={false}
              onChange={(next) => set(next ?? '')}
            />
          )
        if (property.enum !== undefined)
          return (
            <Choice
              key={name}
              label={property.title}
              value={value}
              options={property.enum.map((one) => ({ value: one, label: one }))}
              onChange={set}
            />
          )
        return (
          <TextField
            key={name}
            label={property.title}
            dir="auto"
            maxLength={2000}
            value={value}
            onChange={(event) => set(event.target.value)}
          />
        )
      })}
    </FormDialog>
  )
}

/** The settings of a panel with those that were asked for; one that is left empty is none, but a text may be empty. */
function pluginWith({ defaults, bindings }: Widget, settings: Settings): Plugin {
  const spec: Record<string, unknown> = { ...defaults.spec }
  for (const [name, field] of Object.entries(bindings)) {
    const value = settings[name] ?? ''
    if (value === '' && field !== 'text') delete spec[field]
    else spec[field] = value
  }
  return { ...defaults, spec } as Plugin
}
