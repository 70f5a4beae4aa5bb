import { TextField } from './text-field.tsx'

interface Props {
  value: string
  /** How many characters it may have. */
  most: number
  help?: string | undefined
  /** Tells whether somebody has tried to save: a missing name is said from then on. */
  asked?: boolean
  /** The reason why the server refuses the name. */
  error: string | undefined
  onChange: (value: string) => void
}

/** The first field of a dialog: the name of what it makes or changes. */
export function NameField({ value, most, help, asked = false, error, onChange }: Props) {
  return (
    <TextField
      label="Name"
      required
      data-autofocus
      dir="auto"
      maxLength={most}
      help={help}
      value={value}
      error={asked && value.trim() === '' ? 'Name required' : error}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
