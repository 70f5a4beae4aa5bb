import { longestMarkdown } from '@quayside/contract/dashboards/rules'
import type { Plugin } from '@quayside/contract/dashboards/spec'
import { useId } from 'react'
import { usePinnable } from '../../../api/pinnable.ts'
import field from '../../../ui/forms/field.module.css'
import { Select } from '../../../ui/forms/select.tsx'
import { TextArea } from '../../../ui/forms/text-field.tsx'

interface Props {
  plugin: Plugin
  onChange: (plugin: Plugin) => void
}

/** The settings that a kind of panel has. */
export function PluginFields({ plugin, onChange }: Props) {
  if (plugin.kind === 'Markdown')
    return (
      <TextArea
        label="Text"
        help="Markdown: # heading, **bold**, [link](https://…)"
        rows={8}
        dir="auto"
        maxLength={longestMarkdown}
        value={plugin.spec.text}
        onChange={(event) => onChange({ kind: 'Markdown', spec: { text: event.target.value } })}
      />
    )
  if (plugin.kind === 'Links') return <LinkLines plugin={plugin} onChange={onChange} />
  if (plugin.kind === 'ClusterMap') return null
  const withSpace = (spaceId: string | undefined) => {
    const { spaceId: _, ...rest } = plugin.spec
    onChange({ ...plugin, spec: spaceId === undefined ? rest : { ...rest, spaceId } } as Plugin)
  }
  const isNeeded = plugin.kind === 'Events' || plugin.kind === 'SpaceQuota' || plugin.kind === 'Usage'
  return (
    <>
      <SpaceSelect value={plugin.spec.spaceId} isNeeded={isNeeded} onChange={withSpace} />
      {plugin.kind === 'Usage' && (
        <Choice
          label="Resource"
          value={plugin.spec.resource}
          options={[
            { value: 'cpu', label: 'CPU' },
            { value: 'memory', label: 'Memory' },
          ]}
          onChange={(value) =>
            onChange({ kind: 'Usage', spec: { ...plugin.spec, resource: value === 'memory' ? value : 'cpu' } })
          }
        />
      )}
      {plugin.kind === 'Events' && (
        <Choice
          label="Events"
          value={plugin.spec.type ?? ''}
          options={[
            { value: '', label: 'All' },
            { value: 'Warning', label: 'Warnings alone' },
          ]}
          onChange={(value) => {
            const { type: _, ...rest } = plugin.spec
            onChange({ kind: 'Events', spec: value === 'Warning' ? { ...rest, type: value } : rest })
          }}
        />
      )}
    </>
  )
}

interface SpaceProps {
  value: string | undefined
  isNeeded: boolean
  onChange: (spaceId: string | undefined) => void
}

function SpaceSelect({ value, isNeeded, onChange }: SpaceProps) {
  const spaces = usePinnable('spaces').data ?? []
  const known = spaces.map(({ id, displayName }) => ({ value: id, label: displayName }))
  const isListed = value === undefined || spaces.some(({ id }) => id === value)
  return (
    <Choice
      label="Space"
      value={value ?? ''}
      options={[
        { value: '', label: isNeeded ? 'Choose a space' : 'All that the viewer sees' },
        ...known,
        ...(isListed ? [] : [{ value, label: value }]),
      ]}
      onChange={(next) => onChange(next === '' ? undefined : next)}
    />
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  onChange: (value: string) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <div className={field.field}>
      <label htmlFor={id} className={field.label}>
        {label}
      </label>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    </div>
  )
}

/** One link a line: its name, then its address. */
function LinkLines({ plugin, onChange }: { plugin: Extract<Plugin, { kind: 'Links' }>; onChange: Props['onChange'] }) {
  return (
    <TextArea
      label="Links"
      help="One a line: a name, a blank, and an address that begins with https://"
      rows={6}
      dir="auto"
      defaultValue={plugin.spec.links.map(({ name, url }) => `${name} ${url}`).join('\n')}
      onChange={(event) => onChange({ ...plugin, spec: { ...plugin.spec, links: linksIn(event.target.value) } })}
    />
  )
}

/** Links of a text; a line without a whole address is none yet. */
function linksIn(text: string) {
  return text.split('\n').flatMap((line) => {
    const found = /^(.*?)\s*(https?:\/\/\S+)\s*$/.exec(line)
    const url = found?.[2]
    return url !== undefined && URL.canParse(url) ? [{ name: found?.[1]?.trim() || url, url }] : []
  })
}
