import type { ChangeSet, Text } from '@codemirror/state'

/** The text as the editor has it: it knows one kind of line break only. */
export function withPlainBreaks(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

/** The text after a change in the editor; lines that nobody touched keep their breaks, LF or CRLF. */
export function withChanges(text: string, changes: ChangeSet, after: Text): string {
  if (!text.includes('\r')) return spliced(text, changes)
  if (!text.includes('\r\n') || /\r(?!\n)/.test(text)) return after.toString()
  let result = ''
  let at = 0
  let seen = 0
  // Where a place of the editor is in the text; asked from the front to the back.
  const placeOf = (place: number): number => {
    for (; seen < place; seen += 1) at += text.startsWith('\r\n', at) ? 2 : 1
    return at
  }
  let kept = 0
  changes.iterChanges((from, to, _from, _to, inserted) => {
    result += text.slice(kept, placeOf(from)) + inserted.toString().replaceAll('\n', '\r\n')
    kept = placeOf(to)
  })
  return result + text.slice(kept)
}

/** With the editor's own line breaks a place is where the editor says, and the rest need not be put together again. */
function spliced(text: string, changes: ChangeSet): string {
  let result = ''
  let kept = 0
  changes.iterChanges((from, to, _from, _to, inserted) => {
    result += text.slice(kept, from) + inserted.toString()
    kept = to
  })
  return result + text.slice(kept)
}
