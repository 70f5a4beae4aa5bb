import { findNext, openSearchPanel, replaceAll, SearchQuery, selectMatches, setSearchQuery } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, runScopeHandlers } from '@codemirror/view'
import { waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { maskedValues } from '../fields/masked-values.ts'
import { openSearch, openSearchKeymap } from './open-search.ts'

let view: EditorView
let said: string[] = []
afterEach(() => view.destroy())

/** Collects the announcements to screen readers. */
const listener = EditorView.updateListener.of(({ transactions }) => {
  for (const { effects } of transactions)
    for (const effect of effects) if (effect.is(EditorView.announce)) said.push(effect.value)
})

const text = `name: hunter # hunters
password: hunter22
key: |
  none
secret: |
  first hunter
  second
last: hunter
`

async function open(doc = text) {
  said = []
  view = new EditorView({
    parent: document.body,
    state: EditorState.create({
      doc,
      extensions: [maskedValues(() => undefined), openSearch(), keymap.of([...openSearchKeymap]), listener],
    }),
  })
  openSearchPanel(view)
  await waitFor(() => expect(view.dom.classList).not.toContain('cm-unread'))
}

/** The matches of the panel's query, each as its line number and text. */
function found(search: string, more: { regexp?: boolean } = {}): string[] {
  view.dispatch({ selection: { anchor: 0 }, effects: setSearchQuery.of(new SearchQuery({ search, ...more })) })
  const places = new Map<number, string>()
  while (findNext(view) && !places.has(view.state.selection.main.from)) {
    const { from, to } = view.state.selection.main
    places.set(from, `${view.state.doc.lineAt(from).number} ${view.state.sliceDoc(from, to)}`)
  }
  return [...places.values()]
}
const marked = () => [...view.dom.querySelectorAll('.cm-searchMatch')].map(({ textContent }) => textContent)

it('finds what stands open, and nothing of what is masked', async () => {
  await open()
  expect(found('hunter')).toEqual(['1 hunter', '1 hunter', '8 hunter'])
  expect(marked()).toEqual(['hunter', 'hunter', 'hunter'])
  expect(found('hunter22')).toEqual([])
  expect(found('22')).toEqual([])
  expect(found('second')).toEqual([])
  expect(found('none')).toEqual(['4 none'])
  expect(found('password')).toEqual(['2 password'])
  expect(found('•')).toEqual([])
})

it.each([
  ['an ending', 'password: (?=hunter)'],
  ['another ending', 'password: (?!tide)'],
  ['what may be there', 'password: (hunter)?', ['2 password: ']],
  ['what stood before', '(?<=hunter22\\n)key', []],
  ['a length', 'password: .{8}$'],
  ['all of a line', '^password.*$'],
  ['several lines', 'hunters\\npassword: h'],
])(
  'a pattern cannot ask for it either: %s',
  async (_, pattern, places = pattern.includes('(?!') ? ['2 password: '] : []) => {
    await open()
    expect(found(pattern, { regexp: true })).toEqual(places)
  },
)

it('selects and replaces only what stands open', async () => {
  await open()
  view.dispatch({ effects: setSearchQuery.of(new SearchQuery({ search: 'hunter', replace: 'fisher' })) })
  selectMatches(view)
  expect(view.state.selection.ranges.length).toBe(1)
  replaceAll(view)
  expect(view.state.doc.toString()).toBe(
    text.replace('name: hunter # hunters', 'name: fisher # fishers').replace('last: hunter', 'last: fisher'),
  )
})

it('tells readers where a match is, and not what is masked beside it', async () => {
  await open()
  found('password')
  expect(said[0]).toBe('current match on line 2.')
  found('none')
  expect(said.at(-1)).toContain('none')
})

it('has no key that goes to the next place with the same text', async () => {
  await open()
  view.dispatch({ selection: { anchor: 6, head: 12 } })
  for (const init of [
    { key: 'd', ctrlKey: true },
    { key: 'L', ctrlKey: true, shiftKey: true },
  ])
    expect(runScopeHandlers(view, new KeyboardEvent('keydown', init), 'editor')).toBe(false)
})

it('marks the same text elsewhere, but for what is masked', async () => {
  await open()
  view.dispatch({ selection: { anchor: 6, head: 12 } })
  const same = [...view.dom.querySelectorAll('.cm-selectionMatch')]
  expect(same.map((mark) => mark.closest('.cm-line')?.textContent)).toEqual(['name: hunter # hunters', 'last: hunter'])
})

it('finds nothing before it is known what is masked', async () => {
  view = new EditorView({
    parent: document.body,
    state: EditorState.create({ doc: text, extensions: [maskedValues(() => undefined), openSearch()] }),
  })
  openSearchPanel(view)
  expect(found('hunter')).toEqual([])
})
