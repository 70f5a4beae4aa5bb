import { Lexer } from 'yaml'
import type { Edit } from '../yaml/edits.ts'
import { isSecretName, secretsInText } from './secret-names.ts'

/** Control tokens of the lexer, which stand for no text. */
const marks: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f'])
const shortest = 4
/** A setting that was commented out: a name, and one word or a text in quotes. */
const setting =
  /^([#\s-]*["']?)([\w.-]{1,80})(["']?\s{0,5}[:=]\s{0,5})("[^"]*"|'[^']*'|[^\s"'#$<{%*][^\s#]*)(\s*(?:#.*)?)$/

/** The comments of a text as others may read them; what stands in `known` texts too is read there anyway. */
export function maskedComments(
  text: string,
  { secrets, known, mark }: { secrets: readonly string[]; known: readonly string[]; mark: string },
): Edit[] {
  const telling = [...new Set(secrets)]
    .filter((secret) => secret.length >= shortest)
    .sort((a, b) => b.length - a.length)
  const open = new Set(known.flatMap((one) => one.split('\n').map(commentIn)))
  const edits: Edit[] = []
  for (const { from, comment } of commentsIn(text)) {
    if (open.has(comment.trim())) continue
    const shown = shownOf(comment, telling, mark)
    if (shown !== comment) edits.push({ from, to: from + comment.length, text: shown })
  }
  return edits
}

function shownOf(comment: string, secrets: readonly string[], mark: string): string {
  // A key or a certificate that was commented out is nothing but letters from line to line.
  const letters = /^#\s*([A-Za-z0-9+/=]{40,})\s*$/.exec(comment)?.[1]
  if (letters !== undefined) return comment.replace(letters, mark)
  const [, before = '', name = '', between = '', value = '', behind = ''] = setting.exec(comment) ?? []
  const isEmpty = /^(?:""|''|~|null|true|false|)$/.test(value)
  const own = !isEmpty && isSecretName(name) ? before + name + between + mark + behind : comment
  const inside = secretsInText(own.replace(/^[#\s]+/, ''))
  return [...secrets, ...inside].reduce((line, secret) => line.replaceAll(secret, mark), own)
}

function commentIn(line: string): string {
  const at = line.search(/(?:^|\s)#/)
  return at < 0 ? '' : line.slice(at).trim()
}

function* commentsIn(text: string): Generator<{ from: number; comment: string }> {
  if (!text.includes('#')) return
  let from = 0
  let isScalar = false
  for (const token of new Lexer().lex(text)) {
    const isMark = marks.has(token)
    if (!isMark && !isScalar && token.startsWith('#')) yield { from, comment: token }
    isScalar = token === '\u001f'
    if (!isMark) from += token.length
  }
}
