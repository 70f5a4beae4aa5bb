import { useId } from 'react'
import field from '../../../ui/forms/field.module.css'
import { Select } from '../../../ui/forms/select.tsx'
import { durations, durationWords } from '../why/words.ts'

interface HoursProps {
  label: string
  value: number | null
  onChange: (hours: number | null) => void
}

/** For how long a role is asked for or given. */
export function HoursField({ label, value, onChange }: HoursProps) {
  const id = useId()
  const options = durations.some(({ hours }) => hours === value)
    ? durations
    : [{ hours: value, label: durationWords(value).replace(/^for /, '') }, ...durations]
  return (
    <div className={field.field}>
      <label htmlFor={id} className={field.label}>
        {label}
      </label>
      <Select
        id={id}
        value={String(value)}
        onChange={(event) => onChange(event.target.value === 'null' ? null : Number(event.target.value))}
      >
        {options.map(({ hours, label: words }) => (
          <option key={String(hours)} value={String(hours)}>
            {words}
          </option>
        ))}
      </Select>
    </div>
  )
}
