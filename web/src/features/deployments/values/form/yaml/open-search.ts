import { SearchQuery, search, searchKeymap, setSearchQuery } from '@codemirror/search'
import { EditorState, type Extension, type StateEffect, type Text, Transaction } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  type KeyBinding,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { hiddenIn } from '../fields/masked-values.ts'

/** Find and replace that knows of what is masked only that something stands there: nobody can ask for it piece by piece. */
export function openSearch(): Extension {
  return [search({ top: true }), EditorState.transactionFilter.of(withoutSecrets), sameAsSelected]
}

/** These two go to the next place with the same text, masked or not: where they stop would tell. */
const telling: ReadonlySet<string | undefined> = new Set(['Mod-d', 'Mod-Shift-l'])
export const openSearchKeymap: readonly KeyBinding[] = searchKeymap.filter(({ key }) => !telling.has(key))

interface Found {
  from: number
  to: number
}
/** The search that CodeMirror makes of a query. It is no public API; open-search.test.ts fails when it changes. */
interface Finder {
  nextMatch(state: EditorState, from: number, to: number): Found | null
  prevMatch(state: EditorState, from: number, to: number): Found | null
  matchAll(state: EditorState, limit: number): Found[] | null
  highlight(state: EditorState, from: number, to: number, add: (from: number, to: number) => void): void
}
const finderOf: (this: SearchQuery) => Finder = Reflect.get(SearchQuery.prototype, 'create')

/** A query over the text as it is shown. */
class OpenQuery extends SearchQuery {
  constructor({ search, caseSensitive, literal, regexp, replace, wholeWord }: SearchQuery) {
    super({ search, caseSensitive, literal, regexp, replace, wholeWord, test: isOpen })
  }

  create(): Finder {
    const finder = finderOf.call(this)
    const open: Finder = {
      nextMatch: (state, from, to) => whenRead(state, null, (shown) => finder.nextMatch(shown, from, to)),
      prevMatch: (state, from, to) => whenRead(state, null, (shown) => finder.prevMatch(shown, from, to)),
      matchAll: (state, limit) => whenRead(state, [], (shown) => finder.matchAll(shown, limit)),
      highlight: (state, from, to, add) =>
        whenRead(state, undefined, (shown) => finder.highlight(shown, from, to, add)),
    }
    return Object.assign(Object.create(finder), open)
  }
}

const same = Decoration.mark({ class: 'cm-selectionMatch' })
const longestMarked = 200

/** Marks where the selected text stands a second time. */
const sameAsSelected = ViewPlugin.define(
  (view) => {
    const plugin = {
      marks: marksIn(view),
      update({ selectionSet, docChanged, viewportChanged, view: now }: ViewUpdate) {
        if (selectionSet || docChanged || viewportChanged) plugin.marks = marksIn(now)
      },
    }
    return plugin
  },
  { decorations: ({ marks }) => marks },
)

function marksIn({ state, visibleRanges }: EditorView): DecorationSet {
  const { main, ranges } = state.selection
  if (main.empty || ranges.length > 1 || main.to - main.from > longestMarked) return Decoration.none
  const selected = new SearchQuery({ search: state.sliceDoc(main.from, main.to), literal: true, caseSensitive: true })
  const finder = new OpenQuery(selected).create()
  const found: { from: number; to: number }[] = []
  for (const { from, to } of visibleRanges)
    finder.highlight(state, from, to, (start, end) => {
      if (end <= main.from || start >= main.to) found.push({ from: start, to: end })
    })
  return Decoration.set(
    found.map(({ from, to }) => same.range(from, to)),
    true,
  )
}

interface Shown {
  hidden: DecorationSet
  state: EditorState
}
const shownOf = new WeakMap<Text, Shown>()
const hiddenOf = new WeakMap<EditorState, DecorationSet>()

/** Until it is known what is masked, there is nothing to find. */
function whenRead<T>(state: EditorState, unread: T, find: (shown: EditorState) => T): T {
  const shown = shownIn(state)
  return shown === undefined ? unread : find(shown)
}

/** The text as it is shown, with a mark for each letter that is masked. */
function shownIn(state: EditorState): EditorState | undefined {
  const hidden = hiddenIn(state)
  if (hidden === undefined || hidden.size === 0) return hidden && state
  const known = shownOf.get(state.doc)
  if (known?.hidden === hidden) return known.state
  const shown = EditorState.create({ doc: shownText(state.doc, hidden) })
  shownOf.set(state.doc, { hidden, state: shown })
  hiddenOf.set(shown, hidden)
  return shown
}

function shownText(doc: Text, hidden: DecorationSet): string {
  let text = ''
  let end = 0
  hidden.between(0, doc.length, (from, to) => {
    text += doc.sliceString(end, from) + doc.sliceString(Math.max(from, end), to).replace(/[^\n]/g, '•')
    end = to
  })
  return text + doc.sliceString(end)
}

/** Marks are no text: neither found nor replaced. */
function isOpen(_match: string, shown: EditorState, from: number, to: number): boolean {
  let open = true
  hiddenOf.get(shown)?.between(from, to, (start, end) => {
    open = end <= from || start >= to
    return open ? undefined : false
  })
  return open
}

/** Queries of the panel become open ones, and readers are not told what stands masked beside a match. */
function withoutSecrets(transaction: Transaction) {
  const { effects } = transaction
  if (!effects.some((effect) => effect.is(setSearchQuery) || effect.is(EditorView.announce))) return transaction
  const { changes, selection, scrollIntoView } = transaction
  const userEvent = transaction.annotation(Transaction.userEvent)
  return {
    changes,
    ...(selection ? { selection } : {}),
    scrollIntoView,
    ...(userEvent === undefined ? {} : { userEvent }),
    effects: effects.map((effect): StateEffect<unknown> => {
      if (effect.is(setSearchQuery)) return setSearchQuery.of(new OpenQuery(effect.value))
      return effect.is(EditorView.announce) ? EditorView.announce.of(told(transaction, effect.value)) : effect
    }),
  }
}

function told({ startState, changes, newDoc, newSelection }: Transaction, text: string): string {
  const match = startState.phrase('current match')
  if (!text.startsWith(match)) return text
  const line = newDoc.lineAt(newSelection.main.from)
  let isOnLine = false
  hiddenIn(startState)
    ?.map(changes)
    .between(line.from, line.to, () => {
      isOnLine = true
      return false
    })
  return isOnLine ? `${match} ${startState.phrase('on line')} ${line.number}.` : text
}
