import { useId, useState } from 'react'
import field from '../forms/field.module.css'
import { Button } from './button.tsx'
import styles from './copy-field.module.css'

/** A text to take along, such as a link, with a button that copies it. */
export function CopyField({ label, value, help }: { label: string; value: string; help?: string }) {
  const id = useId()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
  }
  return (
    <div className={field.field}>
      <label htmlFor={id} className={field.label}>
        {label}
      </label>
      <div className={styles.row}>
        <input
          id={id}
          className={field.input}
          dir="ltr"
          readOnly
          value={value}
          onFocus={(event) => event.target.select()}
        />
        <Button onClick={() => void copy()}>Copy</Button>
      </div>
      <span className={field.help} role="status">
        <bdi>{copied ? 'Copied' : help}</bdi>
      </span>
    </div>
  )
}
