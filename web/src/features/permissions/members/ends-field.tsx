import { useId } from 'react'
import field from '../../../ui/forms/field.module.css'
import { Select } from '../../../ui/forms/select.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { localOf } from '../../../ui/text/local-moment.ts'
import { durations } from '../why/words.ts'
import { type Ends, offeredHours } from './ends.ts'
import styles from './permission-form.module.css'

interface Props {
  value: Ends
  error?: string
  onChange: (ends: Ends) => void
}

const nextWeek = () => localOf(new Date(Date.now() + 7 * 86_400_000).toISOString())

/** When a role ends by itself: never, after a while, or on a date. */
export function EndsField({ value, error, onChange }: Props) {
  const id = useId()
  const shown = value.kind === 'hours' ? String(value.hours) : value.kind
  const choose = (next: string) => {
    if (next === 'never') onChange({ kind: 'never' })
    else if (next === 'date') onChange({ kind: 'date', local: nextWeek() })
    else onChange({ kind: 'hours', hours: Number(next) })
  }
  return (
    <div className={styles.pair}>
      <div className={field.field}>
        <label htmlFor={id} className={field.label}>
          Ends
        </label>
        <Select id={id} value={shown} onChange={(event) => choose(event.target.value)}>
          <option value="never">Never</option>
          {offeredHours.map((hours) => (
            <option key={hours} value={hours}>
              After {durations.find((each) => each.hours === hours)?.label}
            </option>
          ))}
          <option value="date">On a date</option>
        </Select>
        {value.kind !== 'date' && error !== undefined && (
          <span className={field.error} role="alert">
            <bdi>{error}</bdi>
          </span>
        )}
      </div>
      {value.kind === 'date' && (
        <TextField
          label="Date and time"
          type="datetime-local"
          required
          value={value.local}
          error={error}
          onChange={(event) => onChange({ kind: 'date', local: event.target.value })}
        />
      )}
    </div>
  )
}
