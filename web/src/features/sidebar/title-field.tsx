import { longestTitle } from '@quayside/contract/sidebar/rules'
import { TextField } from '../../ui/forms/text-field.tsx'
import { texts } from './texts.ts'

interface Props {
  label: string
  value: string
  onChange: (title: string) => void
  /** Enter sends the form also when its button is closed: an alert then says what is missing. */
  onEnter: () => void
}

/** The name of a group, with its counter. */
export function TitleField({ label, value, onChange, onEnter }: Props) {
  return (
    <TextField
      label={label}
      data-autofocus
      maxLength={longestTitle}
      value={value}
      help={texts.counter.replace('{n}', String(value.length))}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => sendOnEnter(event, onEnter)}
    />
  )
}

export function sendOnEnter(event: React.KeyboardEvent, onEnter: () => void): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  onEnter()
}
