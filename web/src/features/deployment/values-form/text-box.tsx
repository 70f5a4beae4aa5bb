import { type ClipboardEvent, useEffect, useRef, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import field from '../../../ui/field.module.css'
import styles from './values-form.module.css'

const settleMs = 300
const isEqual = (draft: string, value: string) => draft === value

interface DraftRules {
  /** Whether a draft says what the value is already. */
  isSame?: (draft: string, value: string) => boolean
  /** Whether it is committed when the typing rests, too. */
  whenResting?: boolean
}

/** What is being typed, committed when the typing rests or the field is left. */
export function useDraft(
  value: string,
  onCommit: (text: string) => void,
  { isSame = isEqual, whenResting = true }: DraftRules = {},
) {
  const [draft, setDraft] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ draft, value, onCommit })
  latest.current = { draft, value, onCommit }
  // Another view may have changed the value meanwhile; while somebody types, the typing counts.
  useEffect(() => {
    if (timer.current === undefined) setDraft((now) => (isSame(now, value) ? now : value))
  }, [value, isSame])
  const flush = () => {
    clearTimeout(timer.current)
    timer.current = undefined
    const now = latest.current
    if (!isSame(now.draft, now.value)) now.onCommit(now.draft)
  }
  const flushRef = useRef(flush)
  flushRef.current = flush
  useEffect(() => () => flushRef.current(), [])
  const type = (text: string) => {
    setDraft(text)
    clearTimeout(timer.current)
    if (whenResting) timer.current = setTimeout(() => flushRef.current(), settleMs)
  }
  return { draft, type, flush }
}

type Draft = ReturnType<typeof useDraft>

interface Props {
  id: string
  text: Draft
  type?: 'text' | 'date' | 'password'
}

/** A text as long as it is: one line has a field, several have an area, and what is pasted keeps its line breaks. */
export function TextBox({ id, text, type = 'text' }: Props) {
  const isLong = useRef(false)
  const hasPasted = useRef(false)
  // An area stays one, so that nothing moves under the hands of somebody who deletes lines.
  isLong.current ||= text.draft.includes('\n')
  const shared = {
    id,
    value: text.draft,
    onBlur: text.flush,
    spellCheck: false,
    autoComplete: type === 'password' ? 'new-password' : undefined,
  }
  if (isLong.current) {
    return (
      <textarea
        {...shared}
        dir="auto"
        ref={(area) => {
          if (hasPasted.current) area?.focus()
          hasPasted.current = false
        }}
        className={classNames(field.input, styles.yaml, type === 'password' && styles.veiled)}
        rows={Math.min(10, Math.max(2, text.draft.split('\n').length))}
        onChange={(event) => text.type(event.target.value)}
      />
    )
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text/plain').replaceAll('\r\n', '\n')
    if (!pasted.trim().includes('\n')) return
    event.preventDefault()
    const { value, selectionStart, selectionEnd } = event.currentTarget
    hasPasted.current = true
    text.type(value.slice(0, selectionStart ?? value.length) + pasted + value.slice(selectionEnd ?? value.length))
  }
  return (
    <input
      {...shared}
      type={type}
      className={field.input}
      onPaste={paste}
      onChange={(event) => text.type(event.target.value)}
    />
  )
}
