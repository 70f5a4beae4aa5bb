import { redirectUriProblem, webOriginProblem } from '@quayside/contract/clients/rules'
import { TextArea } from '../../ui/forms/text-field.tsx'

/** The addresses of a text with one on each line. */
export const addressesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

interface Props {
  label: string
  help: string
  value: string
  required?: boolean
  disabled?: boolean
  /** The reason why a line cannot stand there. */
  problem: (line: string) => string | undefined
  /** A refusal by the server. */
  error: string | undefined
  onChange: (text: string) => void
}

/** Several addresses, one on each line. */
export function AddressField({ value, problem, error, onChange, ...rest }: Props) {
  return (
    <TextArea
      {...rest}
      dir="ltr"
      spellCheck={false}
      rows={Math.min(8, Math.max(2, value.split('\n').length))}
      value={value}
      error={firstProblem(value, problem) ?? error}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** Fault of the first line that is no address. */
export function firstProblem(text: string, problem: Props['problem']): string | undefined {
  for (const line of addressesOf(text)) {
    const wrong = problem(line)
    if (wrong !== undefined) return `${line}: ${wrong}`
  }
  return undefined
}

/** Words and rule of the addresses to which people are sent back. */
export const redirects = {
  label: 'Addresses to come back to',
  help: 'One on each line. People are sent there after they signed in, and nowhere else.',
  problem: redirectUriProblem,
}

/** Words and rule of the origins whose pages may call the identity server. */
export const origins = {
  label: 'Web origins',
  help: 'One on each line. Pages of these may call the identity server from a browser.',
  problem: webOriginProblem,
}
