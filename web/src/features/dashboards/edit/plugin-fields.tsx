import { longestMarkdown } from '@quayside/contract/dashboards/rules'
import type { Plugin } from '@quayside/contract/dashboards/spec'
import { useState } from 'react'
import { usePinnable } from '../../../api/pinnable.ts'
import { Choice } from '../../../ui/forms/select.tsx'
import { TextArea } from '../../../ui/forms/text-field.tsx'
import { linesOfLinks, linkLinesHelp, linksIn } from '../link-lines.ts'

interface Props {
  plugin: Plugin
  /** Tells as well whether everything that was typed is in it. */
  onChange: (plugin: Plugin, isWhole?: boolean) => void
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
            { value: 'Warning', label: 'Only warnings' },
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
  label?: string
  value: string | undefined
  isNeeded: boolean
  onChange: (spaceId: string | undefined) => void
}

export function SpaceSelect({ label = 'Space', value, isNeeded, onChange }: SpaceProps) {
  const spaces = usePinnable('spaces').data ?? []
  const known = spaces.map(({ id, displayName }) => ({ value: id, label: displayName }))
  const isListed = value === undefined || spaces.some(({ id }) => id === value)
  return (
    <Choice
      label={label}
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

/** Lines that are links, and in words the first one that is none. */
function LinkLines({ plugin, onChange }: { plugin: Extract<Plugin, { kind: 'Links' }>; onChange: Props['onChange'] }) {
  const [text, setText] = useState(() => linesOfLinks(plugin.spec.links))
  return (
    <TextArea
      label="Links"
      help={linkLinesHelp}
      error={linksIn(text).problem}
      rows={6}
      dir="auto"
      value={text}
      onChange={({ target: { value } }) => {
        const found = linksIn(value)
        setText(value)
        onChange({ ...plugin, spec: { ...plugin.spec, links: found.links } }, found.problem === undefined)
      }}
    />
  )
}
