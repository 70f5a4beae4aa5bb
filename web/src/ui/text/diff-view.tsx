import { Chunk, unifiedMergeView } from '@codemirror/merge'
import { EditorState, Text } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { useEffect, useMemo, useRef } from 'react'
import styles from './diff-view.module.css'

interface Props {
  /** The name of the comparison, for screen readers: 'Values, deployed and to be'. */
  label: string
  before: string
  after: string
  /** The headings of the two sides: 'Deployed' and 'After the upgrade'. */
  names: readonly [string, string]
  maxHeight?: string
}

// Without colours of syntax: here colour says what went and what came.
const look = EditorView.theme(
  {
    '&': { fontSize: '12px', background: 'var(--editor)', color: 'var(--editor-text)' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '18px' },
    '.cm-gutters': { background: 'var(--editor)', color: 'var(--editor-dim)' },
    '.cm-collapsedLines': {
      color: 'var(--editor-dim)',
      background: 'var(--editor-raised)',
      borderBlock: '1px solid var(--editor-line)',
      fontFamily: 'var(--sans)',
    },
    '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"···"' },
    '&.cm-merge-b .cm-deletedChunk': { background: 'var(--editor-removed)' },
    '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { background: 'var(--editor-added)' },
    '&.cm-merge-b .cm-deletedChunk .cm-deletedText': { background: 'var(--editor-removed-word)' },
    '&.cm-merge-b .cm-changedText': { background: 'var(--editor-added-word)' },
  },
  { dark: true },
)
/** Very different texts are compared roughly rather than for seconds. */
const effort = { scanLimit: 2000, timeout: 500 }

/** Two states of one text, below each other: what went, what came, the rest folded away. */
export function DiffView({ label, before, after, names, maxHeight = '46vh' }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const count = useMemo(() => countLines(before, after), [before, after])
  useEffect(() => {
    if (host.current === null || before === after) return
    const view = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: after,
        extensions: [
          lineNumbers(),
          look,
          EditorView.theme({ '.cm-scroller': { maxHeight, overflow: 'auto' } }),
          EditorView.lineWrapping,
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          // A text that scrolls must be reachable by keyboard.
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            gutter: true,
            collapseUnchanged: { margin: 3, minSize: 6 },
            diffConfig: effort,
          }),
        ],
      }),
    })
    return () => view.destroy()
  }, [before, after, label, maxHeight])

  return (
    <figure className={styles.figure}>
      <figcaption className={styles.head}>
        <bdi dir="ltr">
          <bdi>{names[0]}</bdi> → <bdi>{names[1]}</bdi>
        </bdi>
        <span className={styles.count}>
          {before === after ? 'No differences' : <Count added={count.added} removed={count.removed} />}
        </span>
      </figcaption>
      {before !== after && (
        <section
          ref={host}
          dir="ltr"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
          tabIndex={0}
          aria-label={label}
        />
      )}
    </figure>
  )
}

function Count({ added, removed }: { added: number; removed: number }) {
  return (
    <>
      <bdi className={styles.added}>+{added}</bdi> <bdi className={styles.removed}>−{removed}</bdi>
      <span className="unseen"> lines</span>
    </>
  )
}

function countLines(before: string, after: string): { added: number; removed: number } {
  const [from, to] = [Text.of(before.split('\n')), Text.of(after.split('\n'))]
  const count = { added: 0, removed: 0 }
  for (const { fromA, toA, fromB, toB } of Chunk.build(from, to, effort)) {
    count.removed += linesIn(before, fromA, toA)
    count.added += linesIn(after, fromB, toB)
  }
  return count
}

function linesIn(text: string, start: number, end: number): number {
  const part = text.slice(start, Math.min(end, text.length)).replace(/\n$/, '')
  return end <= start ? 0 : part.split('\n').length
}
