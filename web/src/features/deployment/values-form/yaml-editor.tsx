import { autocompletion } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, foldGutter, indentUnit } from '@codemirror/language'
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState } from '@codemirror/state'
import { oneDark } from '@codemirror/theme-one-dark'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { yamlProblem } from '@quayside/contract/values/yaml-document'
import { useEffect, useRef } from 'react'

interface Props {
  label: string
  value: string
  onChange?: (value: string) => void
  readOnly?: boolean
  height?: string
}

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
  '.cm-panels, .cm-tooltip': { background: 'var(--editor-raised)' },
})

/** The YAML view: dark, 12 px, 60vh, with errors at their line, folding and search. */
export function YamlEditor({ label, value, onChange, readOnly = false, height = '60vh' }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef(onChange)
  latest.current = onChange
  const editable = useRef(new Compartment())
  const initial = useRef(value)

  useEffect(() => {
    if (host.current === null) return
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: initial.current,
        extensions: [
          lineNumbers(),
          foldGutter(),
          history(),
          bracketMatching(),
          autocompletion(),
          indentUnit.of('  '),
          yaml(),
          linter(problemsOf, { delay: 300 }),
          lintGutter(),
          search({ top: true }),
          highlightSelectionMatches(),
          keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
          look,
          oneDark,
          EditorView.theme({ '&': { height } }),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          editable.current.of([EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current?.(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label, height, readOnly])

  useEffect(() => {
    const editor = view.current
    if (editor !== undefined && editor.state.doc.toString() !== value) {
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
    }
  }, [value])

  return <div ref={host} dir="ltr" {...(readOnly ? { tabIndex: 0, role: 'region', 'aria-label': label } : {})} />
}

function problemsOf(view: EditorView): Diagnostic[] {
  const problem = yamlProblem(view.state.doc.toString())
  if (problem === undefined) return []
  const line = view.state.doc.line(Math.min(Math.max(problem.line ?? 1, 1), view.state.doc.lines))
  return [{ from: line.from, to: line.to, severity: 'error', message: problem.message }]
}
