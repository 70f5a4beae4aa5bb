import { autocompletion } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentUnit } from '@codemirror/language'
import { forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint'
import { Annotation, Compartment, EditorState, StateEffect } from '@codemirror/state'
import { oneDark } from '@codemirror/theme-one-dark'
import { EditorView, hoverTooltip, keymap, lineNumbers, type Tooltip, tooltips } from '@codemirror/view'
import type { ResultLine } from '@quayside/contract/deployments/endpoints'
import { useEffect, useRef } from 'react'
import { maskedValues } from '../fields/masked-values.ts'
import { withChanges, withPlainBreaks } from '../line-breaks.ts'
import { openSearch, openSearchKeymap } from './open-search.ts'
import type { Knowledge } from './value-facts.ts'
import { yaml } from './yaml-language.ts'
import { problemsIn } from './yaml-problems.ts'
import { completions, knownAt, placeOf, wordsOf } from './yaml-schema.ts'

interface Props {
  label: string
  value: string
  onChange?: (value: string) => void
  readOnly?: boolean
  height?: string
  /** The names and values that are known, for completion and for tooltips. */
  knowledge?: Knowledge
  /** The server's findings, by line. */
  findings?: readonly ResultLine[]
}

/** The server has said something else of the same text. */
const newFindings = StateEffect.define<null>()
/** A text that came from elsewhere: nobody has typed it. */
const fromOutside = Annotation.define<true>()
const noFindings: readonly ResultLine[] = []

const look = EditorView.theme({
  '&': {
    fontSize: '12px',
    border: '1px solid var(--editor-line)',
    borderRadius: 'var(--radius)',
    overflow: 'hidden',
    background: 'var(--editor)',
  },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '18px' },
  '.cm-gutters': { background: 'var(--editor)', color: 'var(--editor-dim)' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--editor-raised)' },
  '.cm-known': { maxWidth: '420px', padding: '6px 10px', fontFamily: 'var(--mono)', lineHeight: '16px' },
  '.cm-known > div + div': { marginTop: '4px', color: 'var(--editor-dim)' },
  '.cm-tooltip-lint, .cm-tooltip-hover': { maxWidth: 'min(420px, calc(100vw - 48px))', overflowWrap: 'anywhere' },
  '.cm-panels, .cm-tooltip': { background: 'var(--editor-raised)' },
  '.cm-panels': { fontFamily: 'var(--sans)' },
  '.cm-panel.cm-search': { padding: '8px 28px 8px 8px' },
  '.cm-panel.cm-search label': { fontSize: '12px', marginInlineEnd: '8px' },
  '.cm-panel.cm-search [name=close]': { padding: '4px 8px', fontSize: '16px', color: 'var(--editor-text)' },
  '.cm-textfield, .cm-button': {
    minHeight: '26px',
    padding: '2px 8px',
    fontSize: '12px',
    color: 'var(--editor-text)',
    background: 'var(--editor)',
    border: '1px solid var(--editor-line)',
    borderRadius: 'var(--radius)',
  },
  '.cm-button': { textTransform: 'capitalize', cursor: 'pointer' },
  '.cm-button:active': { background: 'var(--editor-raised)' },
})

/** The YAML view: dark, 12 px, 60vh, with errors at their line, folding and search. */
export function YamlEditor(props: Props) {
  const { label, value, onChange, readOnly = false, height = '60vh', knowledge, findings = noFindings } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef({ onChange, knowledge, findings })
  latest.current = { onChange, knowledge, findings }
  const editable = useRef(new Compartment())
  // The text with the line breaks it came with, of which the editor knows only one kind.
  const text = useRef(value)

  useEffect(() => {
    if (host.current === null) return
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: text.current,
        extensions: [
          lineNumbers(),
          codeFolding(),
          foldGutter(),
          history(),
          bracketMatching(),
          autocompletion({ override: [completions(() => latest.current.knowledge ?? nothingKnown)], icons: false }),
          hoverTooltip((editor, at) => hoverAt(editor, at, latest.current.knowledge)),
          // A tooltip that hangs out of the editor is cut off, so near the bottom it is placed above its line.
          tooltips({ tooltipSpace: ({ dom }) => dom.getBoundingClientRect() }),
          indentUnit.of('  '),
          yaml(),
          maskedValues(() => latest.current.knowledge?.schema),
          linter((view) => problemsIn(view.state.doc, latest.current.findings), {
            delay: 300,
            needsRefresh: ({ transactions }) =>
              transactions.some(({ effects }) => effects.some((effect) => effect.is(newFindings))),
          }),
          lintGutter(),
          openSearch(),
          keymap.of([
            ...defaultKeymap,
            ...historyKeymap,
            ...openSearchKeymap,
            ...foldKeymap,
            ...lintKeymap,
            indentWithTab,
          ]),
          look,
          oneDark,
          EditorView.theme({ '&': { height } }),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          editable.current.of([EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)]),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged || update.transactions.some((one) => one.annotation(fromOutside))) return
            text.current = withChanges(text.current, update.changes, update.state.doc)
            latest.current.onChange?.(text.current)
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label, height, readOnly])

  useEffect(() => {
    const editor = view.current
    // Text typed here comes back unchanged as `value` and needs no further work.
    if (value === text.current) return
    text.current = value
    if (editor !== undefined && editor.state.doc.toString() !== withPlainBreaks(value)) {
      const changes = { from: 0, to: editor.state.doc.length, insert: value }
      editor.dispatch({ changes, annotations: fromOutside.of(true) })
    }
  }, [value])

  useEffect(() => {
    if (findings === undefined) return
    view.current?.dispatch({ effects: newFindings.of(null) })
    if (view.current !== undefined) forceLinting(view.current)
  }, [findings])

  return <div ref={host} dir="ltr" {...(readOnly ? { tabIndex: 0, role: 'region', 'aria-label': label } : {})} />
}

const nothingKnown: Knowledge = {
  schema: undefined,
  defaults: undefined,
  commentsOf: () => [],
  isSecret: () => false,
}

/** The tooltip for the entry under the pointer. */
function hoverAt(view: EditorView, at: number, knowledge: Knowledge | undefined): Tooltip | null {
  if (knowledge === undefined) return null
  const line = view.state.doc.lineAt(at)
  const { path } = placeOf(view.state, line.to)
  if (path.length === 0 || line.text.trim().startsWith('#')) return null
  const words = wordsOf(knownAt(knowledge, path))
  if (words.length === 0) return null
  return {
    pos: line.from + (/\S/.exec(line.text)?.index ?? 0),
    end: line.to,
    above: true,
    create: () => ({ dom: spoken(words) }),
  }
}

function spoken(words: readonly string[]): HTMLElement {
  const box = document.createElement('div')
  box.className = 'cm-known'
  for (const text of words) box.appendChild(document.createElement('div')).textContent = text
  return box
}
