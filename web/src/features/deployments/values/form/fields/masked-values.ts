import { type EditorState, Prec, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, highlightActiveLine, ViewPlugin } from '@codemirror/view'
import { secretMark } from '@quayside/values/secrets/secret-mark'
import { readAside } from '../yaml/parse-in-worker.ts'
import type { Ranges } from '../yaml/yaml-reading.ts'

const restMs = 300
const shown = Decoration.mark({ class: 'cm-masked' })
const found = StateEffect.define<Ranges>()

/** Undefined until the text was read for the first time: until then nothing of it is shown. */
const masked = StateField.define<DecorationSet | undefined>({
  create: () => undefined,
  update(before, { changes, effects }) {
    const ranges = effects.find((effect) => effect.is(found))?.value
    if (!ranges) return before?.map(changes)
    return Decoration.set(ranges.filter(({ from, to }) => to > from).map(({ from, to }) => shown.range(from, to)))
  },
  provide: (field) => [
    // Around all that is coloured in it, so that a secret is one element.
    Prec.lowest(EditorView.decorations.from(field, (set) => set ?? Decoration.none)),
    EditorView.editorAttributes.from(field, (set): Record<string, string> => (set ? {} : { class: 'cm-unread' })),
  ],
})

/** Where the text hides something; undefined while nobody has read it yet. */
export function hiddenIn(state: EditorState): DecorationSet | undefined {
  return state.field(masked)
}

const look = EditorView.theme({
  '&.cm-unread .cm-content': { visibility: 'hidden' },
  // Every secret is drawn with the same number of dots, so that its length is not shown.
  '.cm-masked, .cm-masked *': { fontSize: '0', letterSpacing: '0' },
  '.cm-masked::before': { content: `'${secretMark}'`, fontSize: '12px' },
  '&.cm-focused .cm-activeLine .cm-masked, &.cm-focused .cm-activeLine .cm-masked *': { fontSize: '12px' },
  '&.cm-focused .cm-activeLine .cm-masked::before': { content: 'none' },
})

/** Hides what is secret in the text; the line that is being written shows what it holds. */
export function maskedValues(schema: () => unknown) {
  const reader = ViewPlugin.define((view) => {
    let rest: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const read = async () => {
      const { doc } = view.state
      const secrets = await readAside(doc.toString(), undefined, schema()).then(
        (reading) => reading.secrets,
        // A text that cannot be read keeps the marks it has.
        () => undefined,
      )
      if (isOver) return
      if (view.state.doc !== doc) return later()
      const isBroken = secrets === undefined || (secrets.length === 0 && view.state.field(masked)?.size)
      if (!isBroken || view.state.field(masked) === undefined) view.dispatch({ effects: found.of(secrets ?? []) })
    }
    const later = () => {
      clearTimeout(rest)
      rest = setTimeout(() => void read(), restMs)
    }
    void read()
    return {
      update: ({ docChanged }) => {
        if (docChanged) later()
      },
      destroy: () => {
        isOver = true
        clearTimeout(rest)
      },
    }
  })
  return [masked, reader, highlightActiveLine(), look]
}
