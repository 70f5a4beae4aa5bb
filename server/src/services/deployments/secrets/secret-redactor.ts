import { secretMark } from '@quayside/values/secrets/secret-mark'
import { formsOf } from './secret-forms.ts'

/** A shorter text guards nothing, and stands in every other line. */
export const shortest = 3
/** Below this, and for what is spelt like a word, only the whole word is the secret: a user `app` does not hide `apply`. */
const leastInside = 8
const wordLike = /^(?:[A-Z]?[a-z]+|[A-Z]+)$/
const wordSign = /[\w-]/
/** An escape in front of a word is not part of it: `\nhunter2` is not a word of eight letters. */
const escaped = /(?:^|[^\\])(?:\\\\)*\\[nrt]$/
/** Least characters of a secret at the end of a cut line that are enough to recognise it. */
const leastOfCut = 8

/** Forms that begin with the same letters, by length; the boolean says whether only the whole word counts. */
interface Forms {
  lengths: number[]
  byLength: Map<number, Map<string, boolean>>
}

/** Hides texts in lines. Made for thousands of texts: the time for a line hardly grows with their number. */
interface SecretRedactor {
  /** From now on these are hidden in every form in which something may say them; `as words` where they are short. */
  learn(texts: readonly string[], how?: 'anywhere' | 'as words'): void
  hide(text: string): string
}

export function createSecretRedactor(): SecretRedactor {
  const known = new Set<string>()
  const byStart = new Map<string, Forms>()
  const mayStart = new Uint8Array(1 << 14)

  function add(form: string, isWord: boolean) {
    const start = form.slice(0, shortest)
    const { lengths, byLength } = byStart.get(start) ?? {
      lengths: [],
      byLength: new Map<number, Map<string, boolean>>(),
    }
    const same = byLength.get(form.length) ?? new Map<string, boolean>()
    if (same.size === 0) lengths.push(form.length)
    same.set(form, isWord && same.get(form) !== false)
    byLength.set(form.length, same)
    byStart.set(start, { lengths: lengths.sort((a, b) => b - a), byLength })
    mayStart[placeOf(form, 0)] = 1
  }

  /** Where the longest form that begins here ends; where it begins when none does. */
  function endAt(text: string, at: number): number {
    if (mayStart[placeOf(text, at)] === 0) return at
    const forms = byStart.get(text.slice(at, at + shortest))
    if (!forms) return at
    for (const length of forms.lengths) {
      const isWord = forms.byLength.get(length)?.get(text.slice(at, at + length))
      if (isWord === false || (isWord && isFree(text, at, length))) return at + length
    }
    return isCutHere(forms, text, at) ? text.length : at
  }

  return {
    learn(texts, how = 'anywhere') {
      for (const secret of texts) {
        if (secret.length < shortest || known.has(secret)) continue
        known.add(secret)
        const asWord = how === 'as words' && (secret.length < leastInside || wordLike.test(secret))
        for (const text of formsOf(secret))
          if (text.length >= shortest) add(text, asWord && (text.length === secret.length || text.length < leastInside))
      }
    },
    hide(text) {
      let out = ''
      let from = 0
      for (let at = 0; at + shortest <= text.length; ) {
        const end = endAt(text, at)
        if (end === at) {
          at += 1
          continue
        }
        out += text.slice(from, at)
        if (at > from || from === 0) out += secretMark
        from = at = end
      }
      return from === 0 ? text : out + text.slice(from)
    },
  }
}

function placeOf(text: string, at: number): number {
  return (text.charCodeAt(at) * 131 + text.charCodeAt(at + 1)) & 0x3fff
}

function isFree(text: string, at: number, length: number): boolean {
  const isAfterWord = at > 0 && wordSign.test(text.charAt(at - 1)) && !escaped.test(text.slice(Math.max(0, at - 8), at))
  return !isAfterWord && !wordSign.test(text.charAt(at + length))
}

/** A line that was too long ends in the middle of a form. */
function isCutHere({ lengths, byLength }: Forms, text: string, at: number): boolean {
  if (!text.endsWith('…')) return false
  const rest = text.slice(at, -1)
  if (rest.length < leastOfCut || rest.length >= (lengths[0] ?? 0)) return false
  return [...byLength.values()].some((same) => [...same.keys()].some((form) => form.startsWith(rest)))
}
