import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { ComponentType } from 'react'
import { Button, IconButton } from '../../../../../ui/actions/button.tsx'
import { texts } from '../../../texts.ts'
import styles from '../values-form.module.css'
import { blankOf } from './blank-value.ts'
import type { EntryProps, FieldProps } from './field-input.tsx'

/** A list whose entries can be changed, added and taken away, each where it stands. */
export function ArrayInput({
  labelledBy,
  Entry,
  ...props
}: FieldProps & { labelledBy: string; Entry: ComponentType<EntryProps> }) {
  const { field, path, onEdit } = props
  const add = () => onEdit([...path, field.collections.length], { kind: 'value', value: blankOf(templateOf(field)) })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset here would repeat the label as its legend.
    <div role="group" aria-labelledby={labelledBy} className={styles.array}>
      {field.collections.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity but their place.
        <div key={index} className={styles.entry}>
          <Entry {...props} field={entry} path={[...path, index]} label={`${field.label ?? ''} ${index + 1}`} />
          <IconButton
            icon={IconX}
            label={`Remove entry ${index + 1}`}
            onClick={() => onEdit([...path, index], { kind: 'remove' })}
          />
        </div>
      ))}
      <Button small icon={IconPlus} onClick={add}>
        {texts.form.add}
      </Button>
    </div>
  )
}

/** A new entry looks like the template, or like the entries that are there. */
function templateOf(field: FieldConfiguration): FieldConfiguration | undefined {
  return field.objects[0] ?? field.collections[0]
}
