import { yamlProblem } from '@quayside/contract/values/yaml-document'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import IconWand from '@tabler/icons-react/dist/esm/icons/IconWand.mjs'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import field from '../../../ui/field.module.css'
import styles from './values-form.module.css'

const settleMs = 300

/** What is being typed, committed when the typing rests or the field is left. */
function useDraft(value: string, onCommit: (text: string) => void) {
  const [draft, setDraft] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ draft, value, onCommit })
  latest.current = { draft, value, onCommit }
  // Another view may have changed the value meanwhile; while somebody types, the typing counts.
  useEffect(() => {
    if (timer.current === undefined) setDraft(value)
  }, [value])
  const flush = () => {
    clearTimeout(timer.current)
    timer.current = undefined
    const now = latest.current
    if (now.draft !== now.value) now.onCommit(now.draft)
  }
  const flushRef = useRef(flush)
  flushRef.current = flush
  useEffect(() => () => flushRef.current(), [])
  const type = (text: string) => {
    setDraft(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => flushRef.current(), settleMs)
  }
  return { draft, type, flush }
}

interface TextProps {
  id: string
  value: string
  type?: 'text' | 'date'
  onCommit: (value: string) => void
}

export function TextInput({ id, value, type = 'text', onCommit }: TextProps) {
  const text = useDraft(value, onCommit)
  return (
    <input
      id={id}
      type={type}
      className={field.input}
      value={text.draft}
      onChange={(event) => text.type(event.target.value)}
      onBlur={text.flush}
      spellCheck={false}
    />
  )
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
    if (typed.trim() !== '' && Number.isFinite(Number(typed))) onCommit(Number(typed))
  })
  return (
    <input
      id={id}
      inputMode="decimal"
      className={field.input}
      value={text.draft}
      aria-invalid={text.draft.trim() === '' || !Number.isFinite(Number(text.draft))}
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
      <input
        id={id}
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        className={field.input}
        value={text.draft}
        onChange={(event) => text.type(event.target.value)}
        onBlur={text.flush}
      />
      <IconButton
        icon={shown ? IconEyeOff : IconEye}
        label={shown ? 'Hide' : 'Show'}
        onClick={() => setShown(!shown)}
      />
      <IconButton icon={IconWand} label="Make up a password" onClick={() => onCommit(newPassword())} />
    </span>
  )
}

/** A sub-tree that a form cannot show, as YAML. Only text that can be read is written. */
export function YamlInput({ id, value, onCommit }: { id: string; value: string; onCommit: (value: string) => void }) {
  const text = useDraft(value, (typed) => {
    if (yamlProblem(typed) === undefined) onCommit(typed)
  })
  const problem = yamlProblem(text.draft)
  return (
    <>
      <textarea
        id={id}
        dir="ltr"
        className={`${field.input} ${styles.yaml}`}
        rows={Math.min(10, Math.max(2, text.draft.split('\n').length))}
        value={text.draft}
        spellCheck={false}
        aria-invalid={problem !== undefined}
        onChange={(event) => text.type(event.target.value)}
        onBlur={text.flush}
      />
      {problem !== undefined && (
        <span className={styles.error} role="alert">
          {problem.message}
        </span>
      )}
    </>
  )
}
