import { EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withChanges, withPlainBreaks } from './line-breaks.ts'

function edited(text: string, changes: { from: number; to?: number; insert?: string }[]) {
  const transaction = EditorState.create({ doc: withPlainBreaks(text) }).update({ changes })
  return { kept: withChanges(text, transaction.changes, transaction.newDoc), shown: transaction.newDoc.toString() }
}

describe('the line breaks of a text in the editor', () => {
  it('stay as they were on lines that nobody touched, and new lines get the like', () => {
    expect(edited('a: 1\r\nb: 2\r\n', [{ from: 3, to: 4, insert: '7' }]).kept).toBe('a: 7\r\nb: 2\r\n')
    expect(edited('a: 1\r\nb: 2\r\n', [{ from: 4, insert: '\nx: 1' }]).kept).toBe('a: 1\r\nx: 1\r\nb: 2\r\n')
    expect(edited('a: 1\r\nb: 2\nc: 3\r\n', [{ from: 8, to: 9, insert: '9' }]).kept).toBe('a: 1\r\nb: 9\nc: 3\r\n')
    expect(edited('a: 1\nb: 2\n', [{ from: 0, to: 5 }]).kept).toBe('b: 2\n')
  })

  it('never part what is kept from what is shown', () => {
    const line = fc.constantFrom('a: 1', '# x', '', '  b: c')
    const end = fc.constantFrom('\n', '\r\n', '\r')
    const change = fc.record({ at: fc.nat(40), length: fc.nat(5), insert: fc.constantFrom('', 'q', '\n', 'x\ny: 1') })
    fc.assert(
      fc.property(fc.array(fc.tuple(line, end)), fc.array(change, { maxLength: 3 }), (lines, wanted) => {
        const text = lines.flat().join('')
        const { length } = withPlainBreaks(text)
        let free = 0
        const changes = wanted
          .toSorted((a, b) => a.at - b.at)
          .map(({ at, length: size, insert }) => {
            const from = Math.min(Math.max(at, free), length)
            free = Math.min(from + size, length)
            return { from, to: free, insert }
          })
        const { kept, shown } = edited(text, changes)
        expect(withPlainBreaks(kept)).toBe(shown)
      }),
    )
  })
})
