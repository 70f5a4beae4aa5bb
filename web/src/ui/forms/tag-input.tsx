import { useId, useState } from 'react'
import { addTag } from '../lists/add-tag.ts'
import { Tag } from '../lists/tag.tsx'
import field from './field.module.css'
import styles from './tag-input.module.css'

interface Props {
  label: string
  value: readonly string[]
  onChange: (tags: string[]) => void
  disabled?: boolean
  placeholder?: string
}

/** Tags as chips: Enter, comma or leaving the field adds one, a click on a chip removes it. */
export function TagInput({ label, value, onChange, disabled = false, placeholder }: Props) {
  const id = useId()
  const [draft, setDraft] = useState('')
  const commit = (text: string) => {
    const next = addTag(value, text)
    if (next !== value) onChange([...next])
    setDraft('')
  }
  return (
    <div className={field.field}>
      <label htmlFor={id} className={field.label}>
        {label}
      </label>
      <div className={styles.box}>
        {value.map((tag) => (
          <Tag key={tag} text={tag} onRemove={() => !disabled && onChange(value.filter((other) => other !== tag))} />
        ))}
        <input
          id={id}
          className={styles.input}
          value={draft}
          disabled={disabled}
          placeholder={value.length === 0 ? placeholder : undefined}
          onChange={(event) => {
            const text = event.target.value
            // A pasted or composed comma arrives here rather than as a key.
            if (text.includes(',')) commit(text)
            else setDraft(text)
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Enter' || event.key === ',') {
              event.preventDefault()
              commit(draft)
            } else if (event.key === 'Backspace' && draft === '' && value.length > 0) onChange(value.slice(0, -1))
          }}
          onBlur={() => commit(draft)}
        />
      </div>
    </div>
  )
}
