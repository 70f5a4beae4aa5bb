import { yamlProblem } from '@quayside/contract/values/yaml-document'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import IconWand from '@tabler/icons-react/dist/esm/icons/IconWand.mjs'
import { useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import field from '../../../ui/field.module.css'
import { texts } from '../texts.ts'
import { TextBox, useDraft } from './text-box.tsx'
import styles from './values-form.module.css'

interface TextProps {
  id: string
  value: string
  type?: 'text' | 'date'
  onCommit: (value: string) => void
}

export function TextInput({ id, value, type = 'text', onCommit }: TextProps) {
  return <TextBox id={id} type={type} text={useDraft(value, onCommit)} />
}

/** The number that a text says to Helm, for which 0644 is octal; undefined for one that would not be kept as typed. */
function numberOf(text: string): number | undefined {
  const [, sign, octal] = /^([-+]?)0([0-7]+)$/.exec(text.trim()) ?? []
  const number = octal === undefined ? Number(text) : Number(`${sign}1`) * Number.parseInt(octal, 8)
  const isExact = !Number.isInteger(number) || Number.isSafeInteger(number)
  return text.trim() !== '' && Number.isFinite(number) && isExact ? number : undefined
}

/** Whether it is another way to write the same number, as 1.0 is of 1: it stays as it is typed. */
const isSameNumber = (draft: string, value: string) => draft === value || numberOf(draft) === (numberOf(value) ?? value)

export function NumberInput({
  id,
  value,
  onCommit,
}: {
  id: string
  value: unknown
  onCommit: (value: number) => void
}) {
  const written = value === null || value === undefined ? '' : String(value)
  const text = useDraft(
    written,
    (typed) => {
      const number = numberOf(typed)
      if (number !== undefined) onCommit(number)
    },
    { isSame: isSameNumber },
  )
  const isRefused = text.draft !== written && numberOf(text.draft) === undefined
  return (
    <>
      <input
        id={id}
        inputMode="decimal"
        className={field.input}
        value={text.draft}
        aria-invalid={isRefused || written === ''}
        onChange={(event) => text.type(event.target.value)}
        onBlur={text.flush}
      />
      {isRefused && (
        <span className={styles.error} role="alert">
          <bdi>{texts.form.noNumber}</bdi>
        </span>
      )}
    </>
  )
}

const passwordLetters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const passwordLength = 20

function newPassword(): string {
  const random = crypto.getRandomValues(new Uint32Array(passwordLength))
  return Array.from(random, (number) => passwordLetters[number % passwordLetters.length]).join('')
}

/** Masked everywhere, shown on request, and it can be made up. */
export function PasswordInput({
  id,
  value,
  onCommit,
}: {
  id: string
  value: string
  onCommit: (value: string) => void
}) {
  const text = useDraft(value, onCommit)
  const [shown, setShown] = useState(false)
  return (
    <span className={styles.password}>
      <TextBox id={id} type={shown ? 'text' : 'password'} text={text} />
      <IconButton
        icon={shown ? IconEyeOff : IconEye}
        label={shown ? 'Hide' : 'Show'}
        onClick={() => setShown(!shown)}
      />
      <IconButton icon={IconWand} label="Make up a password" onClick={() => onCommit(newPassword())} />
    </span>
  )
}

interface YamlProps {
  id: string
  value: string
  /** Only who looks at it with the field in hand reads it. */
  masked: boolean
  onCommit: (value: string) => void
}

/**
 * A sub-tree that a form cannot show, as YAML. Only text that can be read is written, and only when the field is left:
 * what is half written may be a value of another kind, for which another field would take this one's place.
 */
export function YamlInput({ id, value, masked, onCommit }: YamlProps) {
  const text = useDraft(
    value,
    (typed) => {
      if (yamlProblem(typed) === undefined) onCommit(typed)
    },
    { whenResting: false },
  )
  const problem = yamlProblem(text.draft)
  return (
    <>
      <textarea
        id={id}
        dir="ltr"
        className={classNames(field.input, styles.yaml, masked && styles.veiledAtRest)}
        rows={Math.min(10, Math.max(2, text.draft.split('\n').length))}
        value={text.draft}
        spellCheck={false}
        aria-invalid={problem !== undefined}
        onChange={(event) => text.type(event.target.value)}
        onBlur={text.flush}
      />
      {problem !== undefined && (
        <span className={styles.error} role="alert">
          <bdi>{problem.message}</bdi>
        </span>
      )}
    </>
  )
}
