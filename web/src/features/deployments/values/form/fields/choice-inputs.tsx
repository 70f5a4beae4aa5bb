import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import { Button } from '../../../../../ui/actions/button.tsx'
import { Radio } from '../../../../../ui/forms/checkbox.tsx'
import { ChoiceSelect } from '../../../../../ui/forms/choices/choice-select.tsx'
import { Select } from '../../../../../ui/forms/select.tsx'
import { texts } from '../../../texts.ts'
import styles from '../values-form.module.css'
import type { Path } from './field-tree.ts'

type Options = readonly { value: unknown; label: string }[]

interface Labelled {
  label: string
  labelledBy: string
}

interface OptionsProps {
  id: string
  value: unknown
  options: Options
  onCommit: (value: unknown) => void
}

/** A value that is none of the options stands before them, and cannot be chosen again once it was left. */
export function SelectInput({ id, label, labelledBy, value, options, onCommit }: OptionsProps & Labelled) {
  const chosen = options.find((option) => option.value === value)
  const named = value === undefined || value === null ? '' : String(value)
  const strange = options.some(({ label: name }) => name === named) ? JSON.stringify(value) : named
  const shown = options.map((option) => ({ value: `=${option.label}`, label: option.label }))
  return (
    <ChoiceSelect
      id={id}
      label={label}
      labelId={labelledBy}
      value={chosen === undefined ? '?' : `=${chosen.label}`}
      options={chosen === undefined ? [{ value: '?', label: strange }, ...shown] : shown}
      onChange={(next) => {
        const option = options.find(({ label: name }) => `=${name}` === next)
        if (option !== undefined) onCommit(option.value)
      }}
    />
  )
}

/** A few choices side by side. */
export function RadioInput({ id, labelledBy, value, options, onCommit }: OptionsProps & { labelledBy: string }) {
  return (
    <div role="radiogroup" aria-labelledby={labelledBy} id={id} className={styles.radios}>
      {options.map((option) => (
        <Radio key={option.label} name={id} checked={option.value === value} onChange={() => onCommit(option.value)}>
          {option.label}
        </Radio>
      ))}
    </div>
  )
}

interface ConstantProps {
  id: string
  field: FieldConfiguration
  onSet: (value: unknown) => void
  onUnset: () => void
}

/** The one value that there may be: set or not set. */
export function ConstantInput({ id, field, onSet, onUnset }: ConstantProps) {
  const [option] = field.options ?? []
  const isSet = option !== undefined && field.value === option.value
  return (
    <span className={styles.switch}>
      <Button
        id={id}
        small
        className={styles.constant}
        aria-pressed={isSet}
        disabled={isSet && field.required === true}
        onClick={() => (isSet ? onUnset() : onSet(option?.value))}
      >
        {option?.label}
      </Button>
    </span>
  )
}

interface FormChoiceProps {
  field: FieldConfiguration
  path: Path
  onChoose: (choice: number) => void
}

/** A select for a value whose schema has alternatives; switching keeps the properties that both have in common. */
export function FormChoice({ field, path, onChoose }: FormChoiceProps) {
  const choices = field.choices ?? []
  if (choices.length < 2) return null
  return (
    <Select
      aria-label={`${texts.form.kindOf} ${field.label ?? field.name ?? ''}`}
      className={styles.kind}
      data-choice={path.join('.')}
      value={field.choice ?? 0}
      onChange={(event) => onChoose(Number(event.target.value))}
    >
      {choices.map((choice, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: alternatives of a schema have no other name.
        <option key={at} value={at}>
          {choice.label}
        </option>
      ))}
    </Select>
  )
}

export function SwitchInput({ id, isOn, onCommit }: { id: string; isOn: boolean; onCommit: (on: boolean) => void }) {
  return (
    <span className={styles.switch}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        onChange={(event) => onCommit(event.target.checked)}
      />
      <span>{isOn ? 'On' : 'Off'}</span>
    </span>
  )
}
