import { type ComponentProps, useId } from 'react'
import { classNames } from '../marks/class-names.ts'
import field from './field.module.css'

interface Shared {
  label: string
  help?: string
  error?: string
}

function Frame({
  id,
  label,
  help,
  error,
  required,
  children,
}: Shared & { id: string; required?: boolean; children: React.ReactNode }) {
  return (
    <div className={field.field}>
      <label htmlFor={id} className={field.label}>
        {label}
        {required === true && <span aria-hidden="true"> *</span>}
      </label>
      {children}
      {help !== undefined && (
        <span id={`${id}-help`} className={field.help}>
          <bdi>{help}</bdi>
        </span>
      )}
      <span id={`${id}-error`} className={field.error} role="alert">
        <bdi>{error}</bdi>
      </span>
    </div>
  )
}

const described = (id: string, { help, error }: Shared) =>
  classNames(help !== undefined && `${id}-help`, error !== undefined && `${id}-error`) || undefined

/** One line of text with its label, its help and its error. */
export function TextField({ label, help, error, className, ...rest }: Shared & ComponentProps<'input'>) {
  const id = useId()
  return (
    <Frame id={id} label={label} help={help} error={error} required={rest.required}>
      <input
        {...rest}
        id={id}
        className={classNames(field.input, className)}
        aria-invalid={error !== undefined}
        aria-describedby={described(id, { label, help, error })}
      />
    </Frame>
  )
}

/** Several lines of text. */
export function TextArea({ label, help, error, className, ...rest }: Shared & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <Frame id={id} label={label} help={help} error={error} required={rest.required}>
      <textarea
        rows={3}
        {...rest}
        id={id}
        className={classNames(field.input, className)}
        aria-invalid={error !== undefined}
        aria-describedby={described(id, { label, help, error })}
      />
    </Frame>
  )
}
