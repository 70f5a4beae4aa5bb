import { commentsIn } from '@quayside/values/yaml/comments-in'
import { yamlProblem } from '@quayside/values/yaml/yaml-document'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import IconWand from '@tabler/icons-react/dist/esm/icons/IconWand.mjs'
import { useState } from 'react'
import { IconButton } from '../../../../../ui/actions/button.tsx'
import field from '../../../../../ui/forms/field.module.css'
import { classNames } from '../../../../../ui/marks/class-names.ts'
import { texts } from '../../../texts.ts'
import { writtenOf } from '../drafts/drafts.ts'
import styles from '../values-form.module.css'
import type { Path } from './field-tree.ts'
import { holdsSecret } from './secret-fields.ts'
import { TextBox, useDraft } from './text-box.tsx'

interface TextProps {
  id: string
  path: Path
  value: string
  type?: 'text' | 'date'
  onCommit: (value: string) => void
}

export function TextInput({ id, path, value, type = 'text', onCommit }: TextProps) {
  const text = useDraft(value, onCommit, { place: { path } })
  const [shown, setShown] = useState(false)
  const isSecret = type === 'text' && holdsSecret(text.draft)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only looks on while its input and its button are used.
    <span
      className={isSecret ? styles.password : styles.plain}
      // Text that becomes a secret while it is being typed stays readable until the field is left.
      onFocus={() => !isSecret && setShown(true)}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setShown(false)}
    >
      <TextBox id={id} type={isSecret && !shown ? 'password' : type} text={text} />
      {isSecret && <Eye shown={shown} onToggle={setShown} />}
    </span>
  )
}

/** The number that a text says to Helm, for which 0644 is octal; undefined for one that would not be kept as typed. */
function numberOf(text: string): number | undefined {
  const [, sign, octal] = /^([-+]?)0([0-7]+)$/.exec(text.trim()) ?? []
  const number = octal === undefined ? Number(text) : Number(`${sign}1`) * Number.parseInt(octal, 8)
  const isExact = !Number.isInteger(number) || Number.isSafeInteger(number)
  return text.trim() !== '' && Number.isFinite(number) && isExact ? number : undefined
}

/** Tells whether it is another way to write the same number, as 1.0 is of 1: it stays as it is typed. */
const isSameNumber = (draft: string, value: string) => draft === value || numberOf(draft) === (numberOf(value) ?? value)

const refusedNumber = (typed: string) => (numberOf(typed) === undefined ? texts.form.noNumber : undefined)

interface NumberProps {
  id: string
  path: Path
  value: unknown
  /** How the number stands in the YAML, when that is not how it is shown. */
  notation?: string | undefined
  onCommit: (value: number) => void
  /** Leaves it unset, where that is possible. */
  onUnset?: (() => void) | undefined
}

export function NumberInput({ id, path, value, notation, onCommit, onUnset }: NumberProps) {
  const written = writtenOf({ value })
  const isUnset = (typed: string) => onUnset !== undefined && typed.trim() === ''
  const text = useDraft(
    written,
    (typed) => {
      const number = numberOf(typed)
      if (number !== undefined) onCommit(number)
      else if (isUnset(typed)) onUnset?.()
    },
    {
      place: { path },
      isSame: isSameNumber,
      refusal: (typed) => (isUnset(typed) ? undefined : refusedNumber(typed)),
    },
  )
  const number = numberOf(text.draft)
  const isRefused = text.draft !== written && number === undefined && !isUnset(text.draft)
  const hint = text.draft === written ? notation && texts.form.notation(notation) : hintOf(text.draft, number, written)
  return (
    <>
      <input
        id={id}
        inputMode="decimal"
        className={field.input}
        value={text.draft}
        aria-invalid={isRefused}
        onChange={(event) => text.type(event.target.value)}
        onBlur={text.flush}
      />
      {isRefused && (
        <span className={styles.error} role="alert">
          <bdi>{texts.form.noNumber}</bdi>
        </span>
      )}
      {hint !== undefined && (
        <span className={styles.help} role="status">
          <bdi>{hint}</bdi>
        </span>
      )}
    </>
  )
}

/** The hint for a typed number that is stored in another notation, such as 1e3 as 1000. */
function hintOf(typed: string, number: number | undefined, written: string): string | undefined {
  if (number === undefined || typed.trim() === String(number)) return undefined
  return String(number) === written ? texts.form.sameNumber(written) : texts.form.writtenAs(String(number))
}

const passwordLetters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const passwordLength = 20

function newPassword(): string {
  const random = crypto.getRandomValues(new Uint32Array(passwordLength))
  return Array.from(random, (number) => passwordLetters[number % passwordLetters.length]).join('')
}

function Eye({ shown, onToggle }: { shown: boolean; onToggle: (shown: boolean) => void }) {
  return (
    <IconButton icon={shown ? IconEyeOff : IconEye} label={shown ? 'Hide' : 'Show'} onClick={() => onToggle(!shown)} />
  )
}

/** Masked everywhere, shown on request, and it can be made up. */
export function PasswordInput({
  id,
  path,
  value,
  onCommit,
}: {
  id: string
  path: Path
  value: string
  onCommit: (value: string) => void
}) {
  const text = useDraft(value, onCommit, { place: { path } })
  const [shown, setShown] = useState(false)
  return (
    <span className={styles.password}>
      <TextBox id={id} type={shown ? 'text' : 'password'} text={text} />
      <Eye shown={shown} onToggle={setShown} />
      <IconButton icon={IconWand} label="Make up a password" onClick={() => onCommit(newPassword())} />
    </span>
  )
}

interface YamlProps {
  id: string
  path: Path
  value: string
  /** Only who looks at it with the field in hand reads it. */
  masked: boolean
  onCommit: (value: string) => void
}

/** Why a text is not written: it cannot be read, or it is a comment and nothing else. */
function refusedYaml(typed: string): string | undefined {
  const problem = yamlProblem(typed)
  if (problem !== undefined) return problem.message
  return commentsIn(typed) === 'only' ? texts.form.onlyComment : undefined
}

/**
 * A sub-tree that a form cannot show, as YAML. Only text that can be read is written, and only when the field is left:
 * what is half written may be a value of another kind, for which another field would take this one's place.
 */
export function YamlInput({ id, path, value, masked, onCommit }: YamlProps) {
  const rules = { place: { path }, refusal: refusedYaml, untilLeft: texts.form.notLeft }
  const text = useDraft(value, onCommit, rules)
  const problem = refusedYaml(text.draft)
  const isLost = problem === undefined && text.draft !== value && commentsIn(text.draft) === 'lost'
  return (
    <>
      <textarea
        id={id}
        dir="ltr"
        className={classNames(field.input, styles.yaml, masked && styles.maskedAtRest)}
        rows={Math.min(10, Math.max(2, text.draft.split('\n').length))}
        value={text.draft}
        spellCheck={false}
        aria-invalid={problem !== undefined}
        onChange={(event) => text.type(event.target.value)}
        onBlur={text.flush}
      />
      {problem !== undefined && (
        <span className={styles.error} role="alert">
          <bdi>{problem}</bdi>
        </span>
      )}
      {isLost && (
        <span className={styles.help} role="status">
          <bdi>{texts.form.lostComment}</bdi>
        </span>
      )}
    </>
  )
}
