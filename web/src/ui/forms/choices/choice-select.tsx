import { useState } from 'react'
import { longFrom, OptionBox } from '../option-box.tsx'
import { Select } from '../select.tsx'

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
  const [inHand, setInHand] = useState(false)
  // Options that come while somebody has the select in hand come into it: it is not taken away.
  if (options.length >= longFrom && !inHand)
    return (
      <OptionBox
        id={id}
        label={label}
        labelId={labelId}
        options={options}
        value={value}
        placeholder={value}
        onChange={(next) => onChange(next ?? '')}
      />
    )
  return (
    <Select
      id={id}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onFocus={() => setInHand(true)}
      onBlur={() => setInHand(false)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
  )
}
