import type { FieldConfiguration } from '@quayside/contract/deployment'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { plainOf } from './field-tree.ts'
import { NumberInput, TextInput } from './scalar-inputs.tsx'
import styles from './values-form.module.css'

interface Props {
  labelledBy: string
  field: FieldConfiguration
  onCommit: (value: unknown[]) => void
}

/** A list whose entries can be changed, added and taken away. Entries that are objects show their own fields. */
export function ArrayInput({ labelledBy, field, onCommit }: Props) {
  const values = field.collections.map(plainOf)
  const replace = (index: number, value: unknown) => onCommit(values.map((old, at) => (at === index ? value : old)))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset here would repeat the label as its legend.
    <div role="group" aria-labelledby={labelledBy} className={styles.array}>
      {field.collections.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity but their place.
        <div key={index} className={styles.entry}>
          <div className={styles.entryFields}>
            <Entry entry={entry} name={`${index + 1}`} onWrite={(value) => replace(index, value)} />
          </div>
          <IconButton
            icon={IconX}
            label={`Remove entry ${index + 1}`}
            onClick={() => onCommit(values.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button small icon={IconPlus} onClick={() => onCommit([...values, emptyEntry(field)])}>
        Add
      </Button>
    </div>
  )
}

function Entry({
  entry,
  name,
  onWrite,
}: {
  entry: FieldConfiguration
  name: string
  onWrite: (value: unknown) => void
}) {
  if (entry.type === 'object') {
    return entry.objects.map((child) => (
      <span key={child.name} className={styles.entryField}>
        <span className={styles.help}>{child.label ?? child.name}</span>
        <Entry
          entry={child}
          name={`${name} ${child.label ?? child.name}`}
          onWrite={(value) => onWrite({ ...(plainOf(entry) as Record<string, unknown>), [child.name ?? '']: value })}
        />
      </span>
    ))
  }
  const id = `entry-${name.replaceAll(/\W+/g, '-')}`
  return (
    <>
      {typeof entry.value !== 'boolean' && (
        <label htmlFor={id} className="unseen">
          {name}
        </label>
      )}
      {typeof entry.value === 'number' ? (
        <NumberInput id={id} value={entry.value} onCommit={onWrite} />
      ) : typeof entry.value === 'boolean' ? (
        <Checkbox checked={entry.value} onChange={onWrite} aria-label={name}>
          {entry.value ? 'On' : 'Off'}
        </Checkbox>
      ) : (
        <TextInput id={id} value={typeof entry.value === 'string' ? entry.value : ''} onCommit={onWrite} />
      )}
    </>
  )
}

/** A new entry looks like the template, or like the entries that are there. */
function emptyEntry(field: FieldConfiguration): unknown {
  const model = field.objects[0] ?? field.collections[0]
  if (model === undefined) return ''
  const blank = (one: FieldConfiguration): unknown => {
    if (one.type === 'object') return Object.fromEntries(one.objects.map((child) => [child.name ?? '', blank(child)]))
    if (one.type === 'array') return []
    if (one.type === 'number') return 0
    return one.type === 'boolean' ? false : ''
  }
  return blank(model)
}
