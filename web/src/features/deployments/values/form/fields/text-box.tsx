import { type ClipboardEvent, use, useEffect, useRef, useState } from 'react'
import field from '../../../../../ui/forms/field.module.css'
import { classNames } from '../../../../../ui/marks/class-names.ts'
import { DraftsContext, type Place } from '../drafts/drafts.ts'
import styles from '../values-form.module.css'

const settleMs = 300
const isEqual = (draft: string, value: string) => draft === value

interface DraftRules {
  /** The path of the draft's field; the draft is kept under it while the field is not rendered. */
  place: Place
  /** Tells whether a draft says what the value is already. */
  isSame?: (draft: string, value: string) => boolean
  /** Why a draft cannot be written. */
  refusal?: (draft: string) => string | undefined
  /** Message for a draft that is committed only when the field is left. */
  untilLeft?: string
}

/** The text being typed; it is committed after a pause or when the field is left. */
export function useDraft(value: string, onCommit: (text: string) => void, rules: DraftRules) {
  const { place, isSame = isEqual, refusal = noRefusal, untilLeft } = rules
  const drafts = use(DraftsContext)
  const [draft, setDraft] = useState(() => {
    const kept = drafts.at(place)
    return kept?.base === value ? kept.text : value
  })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ draft, value, onCommit, place, refusal })
  latest.current = { draft, value, onCommit, place, refusal }
  // Another view may have changed the value meanwhile; while somebody types, the typing counts.
  const before = useRef(value)
  useEffect(() => {
    if (timer.current !== undefined || before.current === value) return
    before.current = value
    setDraft((now) => (isSame(now, value) ? now : value))
    if (drafts.at(latest.current.place)?.base !== value) drafts.drop(latest.current.place)
  }, [value, isSame, drafts])
  const flush = () => {
    clearTimeout(timer.current)
    timer.current = undefined
    const now = latest.current
    if (isSame(now.draft, now.value)) return drafts.drop(now.place)
    const says = now.refusal(now.draft)
    if (says !== undefined) return drafts.keep({ ...now.place, base: now.value, text: now.draft, says })
    drafts.drop(now.place)
    now.onCommit(now.draft)
  }
  const flushRef = useRef(flush)
  flushRef.current = flush
  useEffect(() => () => flushRef.current(), [])
  const type = (text: string) => {
    setDraft(text)
    latest.current.draft = text
    clearTimeout(timer.current)
    if (isSame(text, value)) drafts.drop(place)
    else drafts.keep({ ...place, base: value, text, says: refusal(text) ?? untilLeft })
    if (untilLeft === undefined) timer.current = setTimeout(() => flushRef.current(), settleMs)
  }
  return { draft, type, flush }
}

const noRefusal = () => undefined

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
        className={classNames(field.input, styles.yaml, type === 'password' && styles.masked)}
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
