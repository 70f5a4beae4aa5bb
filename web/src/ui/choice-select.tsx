import { OptionBox } from './option-box.tsx'
import { Select } from './select.tsx'

/** From here on a list is searched and no longer read. */
export const longFrom = 11

interface Props {
  id: string
  /** Its name, and the element that says it. */
  label: string
  labelId: string
  value: string
  options: readonly { value: string; label: string }[]
  onChange: (value: string) => void
}

/** The platform's own select for short lists; long ones get a search box. */
export function ChoiceSelect({ id, label, labelId, value, options, onChange }: Props) {
  if (options.length >= longFrom)
    return (
      <OptionBox
        id={id}
        label={label}
        labelId={labelId}
        searchable
        options={options}
        value={value}
        placeholder={value}
        onChange={(next) => onChange(next ?? '')}
      />
    )
  return (
    <Select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
  )
}
