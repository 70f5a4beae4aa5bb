import { useId } from 'react'
import field from './field.module.css'
import { type BoxProps, OptionBox } from './option-box.tsx'

/** A select whose options have second lines, with its label above and what is wrong below. */
export function OptionSelect({ label, ...box }: BoxProps & { label: string }) {
  const id = useId()
  return (
    <div className={field.field}>
      <span id={id} className={field.label}>
        {label}
      </span>
      <OptionBox {...box} label={label} labelId={id} />
      {box.invalid !== undefined && (
        <span className={field.error} role="alert">
          {box.invalid}
        </span>
      )}
    </div>
  )
}
