import { yamlProblem } from '@quayside/contract/values/yaml-document'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import IconWand from '@tabler/icons-react/dist/esm/icons/IconWand.mjs'
import { useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import field from '../../../ui/field.module.css'
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

/** Whether a text says a number that is kept as it is typed. */
function isNumber(text: string): boolean {
  const number = Number(text)
  const isExact = !Number.isInteger(number) || Number.isSafeInteger(number)
  return text.trim() !== '' && Number.isFinite(number) && isExact
}

export function NumberInput({
  id,
  value,
  onCommit,
}: {
  id: string
  value: unknown
  onCommit: (value: number) => void
}) {
  const text = useDraft(value === null || value === undefined ? '' : String(value), (typed) => {
    if (isNumber(typed)) onCommit(Number(typed))
  })
  return (
    <input
      id={id}
      inputMode="decimal"
      className={field.input}
      value={text.draft}
      aria-invalid={!isNumber(text.draft)}
      onChange={(event) => text.type(event.target.value)}
      onBlur={text.flush}
    />
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

/** A sub-tree that a form cannot show, as YAML. Only text that can be read is written. */
export function YamlInput({ id, value, masked, onCommit }: YamlProps) {
  const text = useDraft(value, (typed) => {
    if (yamlProblem(typed) === undefined) onCommit(typed)
  })
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
