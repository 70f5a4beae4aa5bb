import { useId } from 'react'
import { Control, FieldInput, type FieldProps } from './field-input.tsx'
import { problemOf } from './field-tree.ts'
import styles from './values-form.module.css'

/** An entry of a list or of a map: one control, or the fields of an object. */
export function EntryInput({ label, ...props }: FieldProps & { label: string }) {
  const { field, path } = props
  const id = useId()
  if (field.type === 'object') {
    return (
      <fieldset className={styles.object}>
        <legend className="unseen">{label}</legend>
        {field.objects.map((child) => (
          <FieldInput key={child.name} {...props} field={child} path={[...path, child.name ?? '']} />
        ))}
      </fieldset>
    )
  }
  const error = problemOf(field, field.value)
  return (
    <div className={styles.entryFields}>
      <label htmlFor={id} id={`${id}-label`} className="unseen">
        {label}
      </label>
      <Control {...props} id={id} masked={false} />
      {error !== undefined && (
        <span className={styles.error} role="alert">
          {error}
        </span>
      )}
    </div>
  )
}
