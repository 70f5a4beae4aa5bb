import type { FieldConfiguration } from '@quayside/contract/deployment'
import { matches } from '@quayside/contract/values/schema-fits'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { type ComponentType, useId, useState } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import field from '../../../ui/field.module.css'
import { texts } from '../texts.ts'
import { blankOf } from './blank.ts'
import type { EntryProps, FieldProps } from './field-input.tsx'
import styles from './values-form.module.css'

/** Entries under names of one's own: each can be renamed where it stands, taken away, and others added. */
export function MapInput({ Entry, ...props }: FieldProps & { Entry: ComponentType<EntryProps> }) {
  const { field: map, path, onEdit } = props
  const id = useId()
  const [name, setName] = useState('')
  const own = map.objects.filter((child) => !map.map?.known.includes(child.name ?? ''))
  const problem = name === '' ? undefined : problemOfName(name, map)
  const add = () => {
    if (name === '' || problem !== undefined) return
    onEdit([...path, name], { kind: 'value', value: blankOf(map.map?.template) })
    setName('')
  }
  return (
    <div className={styles.array}>
      {own.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry that is renamed stays where it is, and so does the focus.
        <div key={index} className={styles.entry}>
          <KeyInput
            map={map}
            name={entry.name ?? ''}
            onRename={(to) => onEdit([...path, entry.name ?? ''], { kind: 'rename', name: to })}
          />
          <Entry {...props} field={entry} path={[...path, entry.name ?? '']} label={entry.name ?? ''} />
          <IconButton
            icon={IconX}
            label={`Remove ${entry.name}`}
            onClick={() => onEdit([...path, entry.name ?? ''], { kind: 'remove' })}
          />
        </div>
      ))}
      <div className={styles.entry}>
        <label htmlFor={id} className="unseen">
          {texts.form.newName}
        </label>
        <input
          id={id}
          dir="ltr"
          className={field.input}
          placeholder={texts.form.newName}
          value={name}
          spellCheck={false}
          aria-invalid={problem !== undefined}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && add()}
        />
        <Button small icon={IconPlus} onClick={add} disabled={name === '' || problem !== undefined}>
          {texts.form.add}
        </Button>
      </div>
      {problem !== undefined && (
        <span className={styles.error} role="alert">
          <bdi>{problem}</bdi>
        </span>
      )}
    </div>
  )
}

function problemOfName(name: string, { objects, map }: FieldConfiguration): string | undefined {
  if (objects.some((child) => child.name === name) || map?.known.includes(name)) return texts.form.nameTaken
  return map?.pattern === undefined || matches(map.pattern, name) ? undefined : `Must match ${map.pattern}`
}

/** The name of an entry; it changes when it is left, and a name that cannot be goes back to what it was. */
function KeyInput({
  map,
  name,
  onRename,
}: {
  map: FieldConfiguration
  name: string
  onRename: (name: string) => void
}) {
  const [draft, setDraft] = useState<string>()
  const commit = () => {
    if (draft !== undefined && draft !== '' && draft !== name && problemOfName(draft, map) === undefined)
      onRename(draft)
    setDraft(undefined)
  }
  return (
    <input
      dir="ltr"
      aria-label={`Name of ${name}`}
      className={`${field.input} ${styles.key}`}
      value={draft ?? name}
      spellCheck={false}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  )
}
